"""Playbooks as agents install them: instruction files by the Agent Skills rules, and their indexes. Pure."""

import io
import zipfile

import orjson

from library.records.vocabulary import Status

from ..output.artifacts import digest
from .page_contexts import ShippedScript, Skills
from .pages import PlaybookPage
from .rendering import RenderEnvironment
from .renditions import playbook_markdown
from .rows import skill_entry

SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
"""What an index of skills says it is; its entries carry digests, and clients refuse a file that has another."""

_UNIX = 3
"""The system that files of an archive say they come from, whichever makes it."""

_MOST_COMPATIBILITY = 500
"""The longest `compatibility` that the Agent Skills rules allow, in characters."""


def skill(env: RenderEnvironment, page: PlaybookPage) -> bytes:
    """The instruction file of a playbook.

    Its head has quoted scalars only, so that strict YAML readers agree; its body is the markdown twin's.
    """
    if "skill" not in page.made:
        page.made["skill"] = _head(env, page).encode() + playbook_markdown(page)
    return page.made["skill"]


def _head(env: RenderEnvironment, page: PlaybookPage) -> str:
    answer, licence = page.answer, env.site.licence
    agents = f"Written for {', '.join(link.title for link in page.context.agents)}."
    if len(agents) > _MOST_COMPATIBILITY:
        agents = agents[: _MOST_COMPATIBILITY - 1].rsplit(" ", 1)[0] + "…"
    lines = [
        "---",
        f"name: {quoted(answer.slug)}",
        f"description: {quoted(page.context.offer)}",
        f"license: {quoted(f'{licence.name} ({licence.url})')}",
        f"compatibility: {quoted(agents)}",
        "metadata:",
        f"  source: {quoted(answer.url)}",
        f"  status: {quoted(answer.status)}",
        f"  trust: {quoted(answer.trust)}",
        f"  updated: {quoted(answer.updated.isoformat())}",
        f"  version: {quoted(answer.version)}",
        *([f"  proof: {quoted(answer.proof.sentence)}"] if answer.proof else []),
        *([f"  scripts: {quoted(' '.join(item.path for item in answer.scripts))}"] if answer.scripts else []),
        "---",
        "",
    ]
    return "\n".join(lines)


def bundle(env: RenderEnvironment, page: PlaybookPage) -> bytes | None:
    """The instruction file with the scripts that travel with it: the same bytes for the same files, nothing packed.

    None where there is no script, or nobody is offered the playbook.
    """
    if not page.answer.scripts:
        return None
    files = {"SKILL.md": skill(env, page), **{path: text.encode() for path, text in page.scripts.items()}}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, body in files.items():
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = _UNIX, 0o100644 << 16
            archive.writestr(info, body)
    return made.getvalue()


def script(context: ShippedScript) -> bytes:
    """A script that travels with a skill."""
    return context.text.encode()


def quoted(text: str) -> str:
    """A text as a double-quoted YAML scalar without `---` in it: some readers look for the head's end by that alone."""
    escaped = orjson.dumps(text).decode()  # letters are left as they are, as YAML wants them
    if not escaped.isprintable():
        escaped = "".join(letter if letter.isprintable() else _escape(letter) for letter in escaped)
    return escaped.replace("---", "-\\x2d-")


def _escape(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"


def one(env: RenderEnvironment, page: PlaybookPage) -> bytes | None:
    """The index of one skill alone; None for a withdrawn playbook, which nobody is offered."""
    if page.answer.status is Status.WITHDRAWN:
        return None
    slug = page.answer.slug
    entry = skill_entry(slug, page.context.offer, env.addresses, bundled=bool(page.answer.scripts))
    return every(env, Skills(((entry, digest(bundle(env, page) or skill(env, page))),)))


def every(_env: RenderEnvironment, context: Skills) -> bytes:
    """The index of all skills."""
    skills = b",".join([b'%b%b"}' % (entry, mark.hex().encode()) for entry, mark in context.items])
    return b'{"$schema":"%b","skills":[%b]}' % (SCHEMA.encode(), skills)
