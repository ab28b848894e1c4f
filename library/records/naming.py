"""Names of files that editors make: a slug from any text, and whether a name may be a file of the content."""

import re
import unicodedata
from collections.abc import Callable

from ..problems import Problem, printable
from .fields import RESERVED_SLUGS, SLUG

EDITED = ("playbooks", "lessons", "tasks", "agents")
"""The folders whose files editors make and change; `runs` is written from the queue alone."""
MAX_SLUG = 64
_ROOM = MAX_SLUG - 4  # for the `-2` of a name that is taken
_SMALL_WORDS = frozenset("a an and as at by for from in into is it its of on or that the this to with your".split())
_LETTERS = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
)
_DEVICES = re.compile(r"con|prn|aux|nul|com\d|lpt\d")  # names that no file can have on Windows, whatever its ending


def slug_of(text: str, spare: str) -> str:
    """A slug that says what the text says, at most 60 characters; `spare` where the text holds no ASCII letter."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    ascii_only = plain.encode("ascii", "ignore").decode().replace("'", "")
    words = re.findall(r"[a-z0-9]+", ascii_only)
    if len("-".join(words)) > _ROOM:
        words = [word for word in words if word not in _SMALL_WORDS] or words
    slug = words[0][:_ROOM] if words else ""
    for word in words[1:]:
        if len(slug) + 1 + len(word) > _ROOM:
            break
        slug = f"{slug}-{word}"
    if not re.search("[a-z]", slug):
        return spare
    return f"{slug}-{spare}"[:MAX_SLUG].rstrip("-") if is_device(slug) else slug


def free_name(file: str, taken: Callable[[str], bool]) -> str:
    """The file's name, or the first of `-2`, `-3`, … that is not taken and not reserved."""
    folder, slug = file.removesuffix(".yaml").split("/")
    name, number = slug, 1
    while name in RESERVED_SLUGS or taken(f"{folder}/{name}.yaml"):
        number += 1
        ending = f"-{number}"
        name = slug[: MAX_SLUG - len(ending)].rstrip("-") + ending
    return f"{folder}/{name}.yaml"


def is_device(slug: str) -> bool:
    """Whether a file or a folder of this name could not be made on Windows."""
    return _DEVICES.fullmatch(slug) is not None


def name_problem(file: str) -> Problem | None:
    """Why an editor's file cannot have this name; None when it can."""
    folder, _, base = file.partition("/")
    slug = base.removesuffix(".yaml")
    fine = folder in EDITED and base != slug and len(slug) <= MAX_SLUG and SLUG.fullmatch(slug)
    device = is_device(slug)
    if fine and slug not in RESERVED_SLUGS and not device:
        return None
    known = ", ".join(f"{name}/<slug>.yaml" for name in EDITED)
    reserved = "no file can have it on Windows" if device else "an address uses it"
    why = f"the name {slug!r} is reserved, because {reserved}" if fine else f"must be named one of {known}"
    return Problem(printable(file), (), "file-name", f"{why}; choose another")
