"""The words by which texts speak to reviewers and their tools, in several languages, and what they hide.

A match says where to look, never that somebody meant harm: reports about agents speak of prompts too.
"""

import base64
import binascii
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from library.rules import privacy

PHRASES = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))


def _pattern(shapes: Iterable[str], flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """Any of some shapes, with the parts that they name."""
    text = "|".join(shapes)
    for name, part in PHRASES["parts"].items():
        text = text.replace(f"{{{name}}}", part)
    return re.compile(text, flags)


def _sort(sort: Mapping[str, Any]) -> tuple[str, re.Pattern[str]]:
    """What is said of a sort, and its pattern; each is looked for in text without odd spellings."""
    flags = (0 if sort.get("exact_case") else re.IGNORECASE) | (re.MULTILINE if sort.get("each_line") else 0)
    return sort["says"], _pattern(sort["shapes"], flags)


_ENGLISH = tuple(_sort(sort) for sort in PHRASES["sorts"])
_OTHERS = tuple(_sort(sort) for sort in PHRASES["other_languages"])
_BEFORE_A_REPORT = _pattern(PHRASES["before_a_report"])

_COMMENT = re.compile(
    r"<!--|^\[(?://|comment)\]:\s*[#<]|display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0",
    re.MULTILINE | re.IGNORECASE,
)
CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_UNSEEN = re.compile(
    "[\u115f\u1160\u17b4\u17b5\u180b-\u180e\u2800\u3164\uffa0\u034f\u061c]|[\ufe00-\ufe0f]{2,}|[\u0300-\u036f]{4,}"
)
_BLOB = re.compile(r"(?<![A-Za-z0-9+/=_\-])[A-Za-z0-9+/_\-]{40,}={0,2}(?![A-Za-z0-9+/=])")
_SPACED = re.compile(r"\b(?:\w[ .\-_*]){5,}\w\b")
_LOOKALIKES = str.maketrans(
    "аеорсухіѕјԁһԛԝАВЕКМНОРСТХІЅЈαεοινκτυρ",
    "aeopcyxisjdhqwABEKMHOPCTXISJaeoivktup",
)
_LONG_BLOB = 400


def injections(text: str) -> Iterator[tuple[str, int]]:
    """What in a text seems to be meant for reviewers or their tools: a clause each, and the line (from 1)."""
    plain = _SPACED.sub(lambda found: re.sub(r"[ .\-_*]", "", found[0]), privacy.normalised(text))
    versions = tuple(dict.fromkeys((plain, plain.translate(_LOOKALIKES))))
    # Some words are the same in several languages.
    found = list(_matches(_ENGLISH, versions)) or list(_matches(_OTHERS, versions))
    yield from found
    yield from _hidden(text)


def _matches(sorts: Iterable[tuple[str, re.Pattern[str]]], versions: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each sort that tells somebody to do something, with the line of its first match."""
    for says, pattern in sorts:
        lines = (_line(text, one.start()) for text in versions for one in pattern.finditer(text) if _orders(text, one))
        if line := next(lines, 0):
            yield says, line


def _orders(text: str, found: re.Match[str]) -> bool:
    """Whether a phrase tells somebody to do something, rather than what somebody did."""
    return not _BEFORE_A_REPORT.search(text[max(0, found.start() - 60) : found.start()])


def _hidden(text: str) -> Iterator[tuple[str, int]]:
    """What a reader of the page would not see."""
    shown = CODE.sub(lambda found: "\n" * found[0].count("\n"), text)
    if comment := _COMMENT.search(shown):
        yield "holds a comment or a style that a page hides", _line(shown, comment.start())
    if unseen := _UNSEEN.search(text):
        yield "holds characters that cannot be seen", _line(text, unseen.start())
    if blob := next((one for one in _BLOB.finditer(text) if _says_something(one[0])), None):
        yield "holds an encoded text", _line(text, blob.start())


def _says_something(blob: str) -> bool:
    """Whether a run of letters and figures is a text in base 64, or so long that nobody can read it."""
    if not (re.search("[A-Z]", blob) and re.search("[a-z]", blob)):
        return False
    body = blob.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        told = base64.b64decode(body[: len(body) // 4 * 4], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return len(blob) >= _LONG_BLOB
    return told.replace("\n", " ").isprintable() and " " in told


def _line(text: str, start: int) -> int:
    return text.count("\n", 0, start) + 1
