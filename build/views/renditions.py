"""Markdown: the twins of pages, and playbooks as agents install them, by the Agent Skills rules. Pure."""

import io
import re
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256

from library.interface.answers import PROVENANCE_NOTE, LessonAnswer, PlaybookAnswer, ProofAnswer
from library.interface.finding import ASK_FIRST, code, fenced, line, quoted
from library.records.fields import zulu
from library.records.models import Evidence, Need, PromptInput
from library.records.vocabulary import Status
from library.rules.markdown import as_text, stays

from .lists import Link, Row, skill_entry
from .page_contexts import DOCS, LessonContext, PlaybookContext, ProjectDocument
from .pages import PlaybookPage
from .rendering import RenderEnvironment

_SIGNS = re.compile(r"[\\`*_\[\]<>#]")
"""What could mean something to markdown within a line."""
SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
"""What an index of skills says it is; its entries carry digests, and clients refuse a file that has another."""
MOST_WORDS = 600  # so many words a core has at most: all of them are read whenever the job comes up
_SHORT_CHECK = 25
_UNIX = 3  # the system that files of an archive say they come from, whichever makes it
_MOST_COMPATIBILITY = 500  # the longest `compatibility` that the Agent Skills rules allow, in characters
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")
_REFERENCES = {
    "steps": ("What you need", "Steps"),
    "failures": ("What goes wrong",),
    "prompts": ("Prompt", "Inputs of the prompt"),
    "evidence": ("Public accounts", "References", "Lessons", "Related"),
    "why": ("", "Where a person decides", "Trust in detail", "Proof in detail", "Tried with", "Runs"),
}
"""Which sections of the markdown twin each reference holds; prompts for single agents are with the others."""
_TO_DOC = re.compile(r"\]\(/docs/([a-z-]+)/(#[^)\s]*)?")


def playbook_markdown(page: PlaybookPage) -> bytes:
    """The markdown twin of a playbook's page; the references of its skill are cut from it."""
    return document(_parts(page)).encode()


def lesson_markdown(context: LessonContext) -> bytes:
    """The markdown twin of a lesson's page."""
    return document(_lesson(context)).encode()


def document(parts: Iterable[str]) -> str:
    """Paragraphs, lists and headings as one text, an empty line between them."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def placed(form: str, *texts: str) -> str:
    """Our own form with texts in its places: as they are, or letter by letter where markdown would see more in them.

    A text that opens a fence or an element, is a heading or defines a link would reach beyond its place.
    """
    plain = form.format(*texts)
    return plain if stays(plain) else form.format(*map(as_text, texts))


def item_of(form: str, *texts: str, mark: str = "- ") -> str:
    """An item of a list, further lines under the first; as `placed` has it."""
    under = "\n" + " " * len(mark)
    whole = mark + form.replace("\n\n", "\n" + under)
    return placed(whole, *[text.strip().replace("\n", under) for text in texts])


def heading(text: str) -> str:
    """A text as a heading or as the words of a link: one line, nothing in it means anything to markdown."""
    return _SIGNS.sub(r"\\\g<0>", " ".join(text.split()))


@lru_cache(maxsize=1)  # for the twin, and for the references that are cut from it
def _parts(page: PlaybookPage) -> tuple[str, ...]:
    return tuple(parts_of(page.answer, page.context))


def parts_of(answer: PlaybookAnswer, context: PlaybookContext) -> Iterator[str]:
    """What is said of a playbook, in paragraphs, and in sections after headings of the second level."""
    yield f"# {heading(answer.title)}"
    if answer.status_reason:
        where = f" Use {_link(answer, 'playbooks', context.replaced_by)} instead." if context.replaced_by else ""
        yield placed(f"**{answer.status.capitalize()}:** {{}}", line(answer.status_reason)) + where
    yield f"> {answer.provenance_note}"
    yield placed("{}", line(answer.summary))
    if answer.essence:
        yield placed("**In short:** {}", line(answer.essence))
    yield placed("**What you end up with:** {}", line(answer.outcome))
    yield f"**Trust:** {answer.verdict}"
    if answer.proof:
        yield f"**Proof:** {answer.proof.sentence}"
    elif answer.no_trial:
        yield placed("**Not proven:** {}", line(answer.no_trial))
    yield "\n".join(
        [
            item_of("Job: {} ({})", answer.task.name, context.category.title),
            item_of("Agents: {}", ", ".join(link.title for link in context.agents)),
            item_of("Time: {}", answer.time),
            *(item_of(f"Minutes: {it.least} to {it.most}. {{}}", it.depends_on) for it in [answer.minutes] if it),
            item_of("Cost: {}", answer.cost),
            item_of("Difficulty: {}", answer.difficulty),
            item_of(f"Risk: {answer.risk}. {{}}", line(answer.risk_note)),
            item_of("Version: {}, updated {}", answer.version, f"{answer.updated}"),
        ]
    )
    yield from section("What you need", *map(_need, answer.needs))
    yield from section("Where a person decides", bullets(*answer.human_checkpoints))
    failures = (item_of("**{}** {}", line(item.problem), item.fix) for item in answer.failures)
    yield from section("What goes wrong", *failures)
    yield from section("Prompt", fenced(answer.prompt) if answer.prompt else "")
    yield from section("Inputs of the prompt", *map(input_of, answer.inputs))
    for variant in answer.variants:
        note = placed("{}", variant.note or "")
        yield from section(f"Prompt for {variant.agent}", f"{note}\n\n{fenced(variant.prompt)}".strip())
    yield from section("Steps", "\n\n".join(_steps(answer)))
    missing = (f"Missing: {item}" for item in answer.trust_next)
    check = f"Check this verdict yourself: {answer.trust_url}"
    yield from section("Trust in detail", bullets(*answer.trust_reasons, *missing, check))
    yield from section("Proof in detail", "\n\n".join(_proof(answer.proof)) if answer.proof else "")
    yield from section("Tried with", bullets(*(f"{item.tool} {item.version}" for item in answer.tried_with)))
    yield from section("Runs", _runs(answer))
    yield from section("Public accounts", *map(_account, answer.evidence))
    references = (f"[{heading(item.title)}]({item.url}), checked {item.checked}" for item in answer.references)
    yield from section("References", bullets(*references))
    yield from section("Lessons", bullets(*(_link(answer, "lessons", link) for link in context.lessons)))
    beside = (*context.related, *context.related_computed)
    yield from section("Related", bullets(*(_link(answer, "playbooks", link) for link in beside)))
    yield "## Report back"
    yield (
        f"After a run, ask the user first; then send what happened, without private data, to `POST {answer.report_url}`"
        f' with `playbook: "{answer.slug}"`, `playbook_version: "{answer.version}"`, `agent` and `outcome`.'
    )


def _link(answer: PlaybookAnswer | LessonAnswer, kind: str, link: Link) -> str:
    """A link to another record's markdown: absolute, because an instruction file is copied to anywhere."""
    top = answer.markdown_url.rsplit("/", 2)[0]
    return f"[{heading(link.title)}]({top}/{kind}/{link.slug}.md)"


def section(title: str, *lines: str) -> Iterator[str]:
    """A heading over some lines; nothing where there is none."""
    if body := "\n".join(lines):
        yield f"## {title}"
        yield body


def bullets(*texts: str) -> str:
    """A list; further lines of an item stand under its first."""
    return "\n".join(item_of("{}", text) for text in texts)


def _need(need: Need) -> str:
    named = f"[{heading(need.name)}]({need.url})" if need.url else need.name
    return item_of("{} ({}): {}", named, need.kind, need.note) if need.note else item_of("{} ({})", named, need.kind)


def input_of(item: PromptInput) -> str:
    """A variable of the prompt, and what stands for it."""
    default = f" Without one: {code(item.default)}." if item.default else ""
    secret = " A secret: name where it is kept, never paste it." if item.secret else ""
    said = item_of("{}: {} {}", code(f"{{{{{item.name}}}}}"), item.meaning, item.where)
    return f"{said} Such as {code(item.example)}.{default}{secret}"


def _steps(answer: PlaybookAnswer) -> Iterator[str]:
    for number, step in enumerate(answer.steps, 1):
        told = (heading(step.title), step.detail, step.check)
        proven = " (proven)" if step.proven else ""
        script = step.check_script
        linked = f"\n\nScript: [{script.path}]({script.url}), `{script.digest}`" if script else ""
        yield item_of(f"**{{}}**\n\n{{}}\n\n*Check{proven}:* {{}}{linked}", *told, mark=f"{number}. ")


def _proof(proof: ProofAnswer) -> Iterator[str]:
    yield f"On a small prepared case ({proof.sandbox}). It lifts no trust level."
    for head, lines in (
        ("How the checks were run", [f"Step {item.step}: {code(item.command)}" for item in proof.checks]),
        ("Not tried", [f"{code(item.command)}: {heading(item.why)} (until {item.until})" for item in proof.excuses]),
        ("Run otherwise than written", [f"{code(item.command)}: {code(item.run_as)}" for item in proof.shims]),
    ):
        if lines:
            yield f"{head}:"
            yield "\n".join(f"- {text}" for text in lines)


def _runs(answer: PlaybookAnswer) -> str:
    runs, trial = answer.runs, f" {answer.trial_runs.sentence}" if answer.trial_runs else ""
    if not runs.approved and not runs.pending and not runs.withdrawn_count:
        return f"No run was reported yet.{trial}"
    last = f", last on {zulu(runs.last_report)}" if runs.last_report else ""
    return (
        f"{runs.approved} approved: {runs.worked} worked, {runs.with_changes} with changes, {runs.failed} failed;"
        f" {runs.reporters} reporter(s){last}; {runs.pending} waiting for review"
        f"{f'; {runs.withdrawn_count} withdrawn later, not counted' if runs.withdrawn_count else ''}.{trial}"
    )


def _account(item: Evidence) -> str:
    outcome = item.outcome and item.outcome.replace("_", " ")
    labels = ", ".join([str(part) for part in (outcome, item.account, item.author, item.date, item.agent) if part])
    return item_of("[{}]({}) ({}): {}", heading(item.title), item.url, labels, line(item.reported_outcome))


def _lesson(context: LessonContext) -> Iterator[str]:
    lesson = context.lesson
    yield f"# {heading(lesson.title)}"
    yield placed("{}", lesson.problem)
    yield from section("What mends it", placed("{}", lesson.fix))
    yield from section("Met with", bullets(*(link.title for link in context.agents)))
    touched = bullets(*(_link(lesson, "playbooks", link) for link in context.playbooks))
    yield from section("Playbooks that it touches", touched)
    sources = (f"[{heading(source.title)}]({source.url})" for source in lesson.sources)
    yield from section("Told by", bullets(*sources))
    yield f"Updated {lesson.updated}."


def entry(env: RenderEnvironment, row: Row) -> str:
    """A playbook as one item of a list: a link to its markdown, what it does, its trust."""
    state = "" if row.status == Status.ACTIVE else f" {row.status.capitalize()}."
    link = f"[{heading(row.title)}]({env.addresses.markdown('playbooks', row.slug)})"
    return f"{link}:{state} {line(row.summary)} Trust: {row.trust}"


def written(template: str) -> Callable[[RenderEnvironment, object], bytes]:
    """A view by a template of markdown, which takes what this module has as `md`."""
    told = {"md": sys.modules[__name__], "note": PROVENANCE_NOTE}
    return lambda env, context: env.page(template, context=context, env=env, **told)


def doc(env: RenderEnvironment, context: ProjectDocument) -> bytes:
    """A document as it is written; its links within the site are whole addresses, of markdown where there is some."""
    text = _TO_DOC.sub(lambda at: f"](/docs/{at[1]}.md{at[2] or ''}" if at[1] in DOCS else at[0], context.text)
    return document([f"# {context.title}", text.replace("](/", f"]({env.addresses.site_url}/")]).encode()


@lru_cache(maxsize=1)  # for the file, and in the archive
def skill(env: RenderEnvironment, page: PlaybookPage) -> bytes:
    """The instruction file of a playbook: what is to be done, as short as it must be."""
    answer, text = page.answer, b""
    agents = f"Written for {', '.join(link.title for link in page.context.agents)}."
    if len(agents) > _MOST_COMPATIBILITY:
        agents = agents[: _MOST_COMPATIBILITY - 1].rsplit(" ", 1)[0] + "…"
    told = {"book": answer, "context": page.context, "compatibility": agents, "ask_first": ASK_FIRST}
    for shorter in range(5):
        stops = [_begun(_SENTENCE.split(line(stop)), 1) if shorter > 2 else stop for stop in answer.human_checkpoints]
        parts = {"shorter": shorter, "stops": stops, "steps": list(_core_steps(answer, shorter))}
        text = env.page("skill.md", **told, **parts, md=sys.modules[__name__], quoted=quoted)
        if len(text.decode().partition("\n---\n")[2].split()) <= MOST_WORDS:
            break
    return text


def _core_steps(answer: PlaybookAnswer, shorter: int) -> Iterator[str]:
    for number, step in enumerate(answer.steps, 1):
        check = _begun(_SENTENCE.split(line(step.check)), 1) if shorter else line(step.check)
        if shorter > 3 and len(words := check.split()) > _SHORT_CHECK:
            check = _begun(words, _SHORT_CHECK) + " …"
        script = f" Run `{step.check_script.path}`." if step.check_script else ""
        proven = " (proven)" if step.proven else ""
        yield item_of(f"{{}}. *Check{proven}:* {{}}{script}", heading(step.title), check, mark=f"{number}. ")


def _begun(parts: Sequence[str], least: int) -> str:
    """The first parts of a text, and so many more that no code span is cut."""
    cuts = (" ".join(parts[:count]) for count in range(least, len(parts)))
    return next((cut for cut in cuts if cut.count("`") % 2 == 0), " ".join(parts))


def references(page: PlaybookPage) -> dict[str, str]:
    """The files beside the core, cut from the markdown twin by its headings; each is named by what it is for."""
    answer = page.answer
    found: dict[str, list[str]] = {name: [] for name in _REFERENCES}
    kept = "why"
    for part in _parts(page):
        if part.startswith(f"# {heading(answer.title)}") or part == f"> {answer.provenance_note}":
            continue
        if part.startswith("## "):
            title = "Prompt" if part.startswith("## Prompt for ") else part.removeprefix("## ")
            kept = next((name for name, titles in _REFERENCES.items() if title in titles), "")
        if kept:
            found[kept].append(part)
    return {
        f"references/{name}.md": document([f"# {heading(answer.title)}: {name}", *parts])
        for name, parts in found.items()
        if parts
    }


@lru_cache(maxsize=1)  # for the file, and for its digest
def bundle(env: RenderEnvironment, page: PlaybookPage) -> bytes | None:
    """The instruction file with all that travels with it: the same bytes for the same files, nothing packed.

    None where nobody is offered the playbook.
    """
    if page.answer.status is Status.WITHDRAWN:
        return None
    texts = {**references(page), **{script.path: script.text for script in page.context.scripts}}
    files = {"SKILL.md": skill(env, page), **{path: text.encode() for path, text in texts.items()}}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, body in files.items():
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = _UNIX, 0o100644 << 16
            archive.writestr(info, body)
    return made.getvalue()


def one_skill(env: RenderEnvironment, page: PlaybookPage) -> bytes | None:
    """The index of one skill alone; None for a withdrawn playbook, which nobody is offered."""
    if page.answer.status is Status.WITHDRAWN:
        return None
    slug = page.answer.slug
    entry = skill_entry(slug, page.context.offer, page.answer.version, env.addresses)
    return all_skills([(entry, sha256(bundle(env, page) or b"").digest())])


def all_skills(items: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The index of skills: each by its entry in JSON up to the digest, and that."""
    skills = b",".join([b'%b%b"}' % (entry, mark.hex().encode()) for entry, mark in items])
    return b'{"$schema":"%b","skills":[%b]}' % (SCHEMA.encode(), skills)
