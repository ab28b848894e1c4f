"""The names that a content folder has: what fields may name, read without judging whether the files are right."""

from pathlib import Path

from ..content.loading import some_bytes
from ..content.yamlfile import decode, parse
from .fields import SLUG
from .naming import EDITED
from .values import texts_of

NAMED = {
    "task": "tasks",
    "agent": "agents",
    "agents": "agents",
    "playbook": "playbooks",
    "playbooks": "playbooks",
    "related": "playbooks",
    "replaced_by": "playbooks",
    "lesson": "lessons",
    "category": "categories",
    "tags": "tags",
}
"""Fields that hold slugs, with what they name."""
OPEN = frozenset({"tags"})
"""What may be named without being there: the first who uses a tag makes it."""


def names_in(content: Path) -> dict[str, list[str]]:
    """All names, by what they are of."""
    return {what: names_of(content, what) for what in sorted({*NAMED.values()})}


def names_of(content: Path, what: str) -> list[str]:
    """The slugs of these records, of the categories, or all tags; in order."""
    if what in EDITED:
        return sorted(path.stem for path in (content / what).glob("*.yaml") if SLUG.fullmatch(path.stem))
    if what == "categories":
        found = texts_of(_value(content, "categories.yaml").get("categories"))
        return [text for pointer, text in found if pointer[1:] == ("slug",) and SLUG.fullmatch(text)]
    files = [f"{folder}/{slug}.yaml" for folder in ("playbooks", "lessons") for slug in names_of(content, folder)]
    tags = (texts_of(_value(content, file).get("tags")) for file in files)
    return sorted({text for found in tags for pointer, text in found if len(pointer) == 1 and SLUG.fullmatch(text)})


def _value(content: Path, file: str) -> dict[str, object]:
    """What a file holds; nothing where it cannot be read, or is no file: a pipe would be waited for."""
    if not (content / file).is_file():
        return {}
    try:
        text = decode(some_bytes(content / file), file)
    except OSError:
        return {}
    value = parse(text, file).value if isinstance(text, str) else None
    return dict(value) if isinstance(value, dict) else {}
