"""Markdown and SKILL.md of a playbook, markdown of a lesson: the same content for readers without a browser. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator

from library.answers import LessonAnswer, PlaybookAnswer
from library.fields import zulu
from library.markdown import as_text, read
from library.vocabulary import Status

from .pages import PlaybookPage
from .shown import LessonShown, Link, PlaybookShown


def of_page(rendition: Callable[[PlaybookAnswer, PlaybookShown], str], _desk: object, page: PlaybookPage) -> bytes:
    """A view of a playbook by one of the renditions here."""
    return rendition(page.answer, page.shown).encode()


def playbook_markdown(answer: PlaybookAnswer, shown: PlaybookShown) -> str:
    """The markdown twin of a playbook's page."""
    return _document(_playbook(answer, shown))


def skill(answer: PlaybookAnswer, shown: PlaybookShown) -> str:
    """The instruction file of a playbook, by the Agent Skills rules.

    Its head has quoted scalars only, so that strict YAML readers agree.
    """
    head = [
        "---",
        f"name: {_quoted(answer.slug)}",
        f"description: {_quoted(_description(answer))}",
        "metadata:",
        f"  source: {_quoted(answer.url)}",
        f"  status: {_quoted(answer.status)}",
        f"  trust: {_quoted(answer.trust)}",
        f"  version: {_quoted(answer.version)}",
        "---",
        "",
    ]
    return "\n".join(head) + _document(_playbook(answer, shown))


def _description(answer: PlaybookAnswer) -> str:
    """What it does and when to use it, in at most 1024 characters, without anything that looks like a YAML fence."""
    text = f"{answer.summary} Job: {answer.task.name}."
    if answer.status is not Status.ACTIVE:
        text = f"{answer.status.capitalize()}, do not use it: {answer.status_reason}"
    text = " ".join(text.split()).replace("---", "—")
    return text if len(text) <= 1024 else text[:1023].rsplit(" ", 1)[0] + "…"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def lesson_markdown(shown: LessonShown) -> str:
    """The markdown twin of a lesson's page."""
    return _document(_lesson(shown))


def _document(parts: Iterable[str]) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def fenced(text: str) -> str:
    """A text as it stands, in a fence longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text.rstrip()}\n{fence}"


def _placed(form: str, *texts: str) -> str:
    """Our own form with texts in its places: as they are, or letter by letter where markdown would see more in them.

    A text that opens a fence or an element, is a heading or defines a link would reach beyond its place.
    """
    plain = form.format(*texts)
    return form.format(*map(as_text, texts)) if read(plain).beyond else plain


def _item(form: str, *texts: str, mark: str = "- ") -> str:
    """An item of a list, further lines under the first; as `_placed` has it."""
    under = "\n" + " " * len(mark)
    return _placed(mark + form.replace("\n\n", "\n" + under), *(text.strip().replace("\n", under) for text in texts))


def _line(text: str) -> str:
    return " ".join(text.split())


def _heading(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#])", r"\\\1", _line(text))


def _playbook(answer: PlaybookAnswer, shown: PlaybookShown) -> Iterator[str]:
    yield f"# {_heading(answer.title)}"
    if answer.status_reason:
        where = f" Use {_link(answer, 'playbooks', shown.replaced_by)} instead." if shown.replaced_by else ""
        yield _placed(f"**{answer.status.capitalize()}:** {{}}", _line(answer.status_reason)) + where
    yield f"> {answer.provenance_note}"
    yield _placed("{}", _line(answer.summary))
    yield _placed("**What you end up with:** {}", _line(answer.outcome))
    yield f"**Trust:** {answer.verdict}"
    yield _list(
        [
            _item("Job: {} ({})", answer.task.name, shown.category.title),
            _item("Agents: {}", ", ".join(link.title for link in shown.agents)),
            _item("Time: {}", answer.time),
            _item("Cost: {}", answer.cost),
            _item("Difficulty: {}", answer.difficulty),
            _item(f"Risk: {answer.risk}. {{}}", _line(answer.risk_note)),
            _item("Version: {}, updated {}", answer.version, f"{answer.updated}"),
        ]
    )
    yield from _section("What you need", _list(_need(need) for need in answer.needs))
    yield from _section("Where a person decides", _bullets(answer.human_checkpoints))
    yield from _section(
        "What goes wrong", _list(_item("**{}** {}", _line(item.problem), item.fix) for item in answer.failures)
    )
    yield from _section("Prompt", fenced(answer.prompt) if answer.prompt else "")
    for variant in answer.variants:
        note = _placed("{}", variant.note or "")
        yield from _section(f"Prompt for {variant.agent}", f"{note}\n\n{fenced(variant.prompt)}".strip())
    yield from _section("Steps", "\n\n".join(_steps(answer)))
    yield from _section(
        "Trust in detail", _bullets([*answer.trust_reasons, *(f"Missing: {item}" for item in answer.trust_next)])
    )
    yield from _section("Runs", _runs(answer))
    yield from _section("Public accounts", _list(_account(item) for item in answer.evidence))
    yield from _section(
        "References",
        _bullets(f"[{_heading(item.title)}]({item.url}), checked {item.checked}" for item in answer.references),
    )
    yield from _section("Lessons", _bullets(_link(answer, "lessons", link) for link in shown.lessons))
    beside = (*shown.related, *shown.related_computed)
    yield from _section("Related", _bullets(_link(answer, "playbooks", link) for link in beside))
    yield from _section("Report back", _report(answer))


def _link(answer: PlaybookAnswer | LessonAnswer, kind: str, link: Link) -> str:
    """A link to another record's markdown: absolute, because an instruction file is copied to anywhere."""
    top = answer.markdown_url.rsplit("/", 2)[0]
    return f"[{_heading(link.title)}]({top}/{kind}/{link.slug}.md)"


def _section(title: str, body: str) -> Iterator[str]:
    if body:
        yield f"## {title}"
        yield body


def _bullets(texts: Iterable[str]) -> str:
    return _list(_item("{}", text) for text in texts)


def _list(items: Iterable[str]) -> str:
    return "\n".join(items)


def _need(need: object) -> str:
    name, kind, note, url = (getattr(need, field) for field in ("name", "kind", "note", "url"))
    named = f"[{_heading(name)}]({url})" if url else name
    return _item("{} ({}): {}", named, kind, note) if note else _item("{} ({})", named, kind)


def _steps(answer: PlaybookAnswer) -> Iterator[str]:
    for number, step in enumerate(answer.steps, 1):
        told = (_heading(step.title), step.detail, step.check)
        yield _item("**{}**\n\n{}\n\n*Check:* {}", *told, mark=f"{number}. ")


def _runs(answer: PlaybookAnswer) -> str:
    runs = answer.runs
    if not runs.approved and not runs.pending and not runs.withdrawn:
        return "No run was reported yet."
    last = f", last on {zulu(runs.last_report)}" if runs.last_report else ""
    return (
        f"{runs.approved} approved: {runs.worked} worked, {runs.with_changes} with changes, {runs.failed} failed;"
        f" {runs.reporters} reporter(s){last}; {runs.pending} waiting for review"
        f"{f'; {runs.withdrawn} withdrawn later, not counted' if runs.withdrawn else ''}."
    )


def _account(item: object) -> str:
    title, url, agent, told, author, date, outcome, account = (
        getattr(item, field)
        for field in ("title", "url", "agent", "reported_outcome", "author", "date", "outcome", "account")
    )
    labels = ", ".join(
        str(part) for part in (outcome and outcome.replace("_", " "), account, author, date, agent) if part
    )
    return _item("[{}]({}) ({}): {}", _heading(title), url, labels, _line(told))


def _report(answer: PlaybookAnswer) -> str:
    return (
        f"After a run, ask the user first; then send what happened, without private data, to `POST {answer.report_url}`"
        f' with `playbook: "{answer.slug}"`, `playbook_version: "{answer.version}"`, `agent` and `outcome`.'
    )


def _lesson(shown: LessonShown) -> Iterator[str]:
    lesson = shown.lesson
    yield f"# {_heading(lesson.title)}"
    yield _placed("{}", lesson.problem)
    yield from _section("What mends it", _placed("{}", lesson.fix))
    yield from _section("Met with", _bullets(link.title for link in shown.agents))
    yield from _section(
        "Playbooks that it touches",
        _bullets(_link(lesson, "playbooks", link) for link in shown.playbooks),
    )
    yield from _section("Told by", _bullets(f"[{_heading(source.title)}]({source.url})" for source in lesson.sources))
    yield f"Updated {lesson.updated}."
