"""Playbooks as agents install them, by the Agent Skills rules: a short core, and references beside it. Pure."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import orjson

from library.interface.answers import PlaybookAnswer
from library.interface.finding import ASK_FIRST, line
from library.records.trials import SkillScript
from library.records.vocabulary import Status

from . import renditions
from .lists import skill_entry
from .pages import PlaybookPage
from .rendering import RenderEnvironment
from .renditions import document, heading, item_of, parts_of

SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
"""What an index of skills says it is; its entries carry digests, and clients refuse a file that has another."""

MOST_WORDS = 600
"""So many words a core has at most: all of them are read whenever the job comes up."""

_SHORT_CHECK = 25
_UNIX = 3
"""The system that files of an archive say they come from, whichever makes it."""

_MOST_COMPATIBILITY = 500
"""The longest `compatibility` that the Agent Skills rules allow, in characters."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")
_REFERENCES = {
    "steps": ("What you need", "Steps"),
    "failures": ("What goes wrong",),
    "prompts": ("Prompt", "Inputs of the prompt"),
    "evidence": ("Public accounts", "References", "Lessons", "Related"),
    "why": ("", "Where a person decides", "Trust in detail", "Proof in detail", "Tried with", "Runs"),
}
"""Which sections of the markdown twin each reference holds; prompts for single agents are with the others."""


def skill(env: RenderEnvironment, page: PlaybookPage) -> bytes:
    """The instruction file of a playbook: what is to be done, as short as it must be."""
    answer, text = page.answer, b""
    agents = f"Written for {', '.join(link.title for link in page.context.agents)}."
    if len(agents) > _MOST_COMPATIBILITY:
        agents = agents[: _MOST_COMPATIBILITY - 1].rsplit(" ", 1)[0] + "…"
    told = {"book": answer, "context": page.context, "compatibility": agents, "ask_first": ASK_FIRST}
    for shorter in range(5):
        stops = [_begun(_SENTENCE.split(line(stop)), 1) if shorter > 2 else stop for stop in answer.human_checkpoints]
        parts = {"shorter": shorter, "stops": stops, "steps": list(_steps(answer, shorter))}
        text = env.page("skill.md", **told, **parts, md=renditions, quoted=quoted)
        if len(text.decode().partition("\n---\n")[2].split()) <= MOST_WORDS:
            break
    return text


def _steps(answer: PlaybookAnswer, shorter: int) -> Iterator[str]:
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
    for part in parts_of(answer, page.context):
        if part.startswith(f"# {heading(answer.title)}") or part == f"> {answer.provenance_note}":
            continue
        if part.startswith("## "):
            kept = _reference(part.removeprefix("## "))
        if kept:
            found[kept].append(part)
    return {
        f"references/{name}.md": document([f"# {heading(answer.title)}: {name}", *parts])
        for name, parts in found.items()
        if parts
    }


def _reference(title: str) -> str:
    if title.startswith("Prompt for "):
        return "prompts"
    return next((name for name, titles in _REFERENCES.items() if title in titles), "")


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


def script(context: SkillScript) -> bytes:
    """A script that travels with a skill."""
    return context.text.encode()


def quoted(text: str) -> str:
    """A text as a double-quoted YAML scalar without `---` in it: some readers look for the head's end by that alone."""
    escaped = orjson.dumps(text).decode()  # letters are left as they are, as YAML wants them
    if not escaped.isprintable():
        forms = ((letter, "\\u%04x" if ord(letter) < 0x10000 else "\\U%08x") for letter in escaped)
        escaped = "".join(letter if letter.isprintable() else form % ord(letter) for letter, form in forms)
    return escaped.replace("---", "-\\x2d-")


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
