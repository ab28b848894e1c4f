"""What the words and addresses of a text give away: orders to reviewers, what is hidden, advertising; none is fetched.

A match says where to look, never that somebody meant harm: reports about agents speak of prompts too.
"""

import base64
import binascii
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote_plus, urlsplit

from library.rules import privacy

HOSTS, PHRASES = (
    tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8")) for name in ("hosts.toml", "phrases.toml")
)


def _pattern(shapes: Iterable[str], parts: Mapping[str, str], flags: str = "i") -> re.Pattern[str]:
    """Any of these shapes, in which a name in braces stands for a part."""
    text = "|".join(shapes)
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    return re.compile(f"(?{flags}){text}")


_LISTS = {name: "|".join(map(re.escape, HOSTS[name])) for name in ("shorteners", "not_public")}
_ODDITIES = [(row["of"], _pattern([row["shape"]], _LISTS), row["says"]) for row in HOSTS["oddities"]]
_ENGLISH, _OTHERS = (
    [(sort["says"], _pattern(sort["shapes"], PHRASES["parts"], sort.get("flags", "i"))) for sort in PHRASES[name]]
    for name in ("sorts", "other_languages")
)
_BEFORE_A_REPORT = _pattern(PHRASES["before_a_report"], PHRASES["parts"])
_SHAPES = {name: re.compile(shape) for name, shape in PHRASES["shapes"].items()}
_SELLS = re.compile(rf"\b(?:{'|'.join(PHRASES['advertising']['shapes'])})\b", re.IGNORECASE)
_LOOKALIKES = str.maketrans("аеорсухіѕјԁһԛԝАВЕКМНОРСТХІЅЈαεοινκτυρ", "aeopcyxisjdhqwABEKMHOPCTXISJaeoivktup")
_LONG_BLOB = 400


def in_text(text: str) -> list[str]:
    """The addresses in running text, without the punctuation that follows them."""
    return [found.rstrip(".,;:!?*_") for found in _SHAPES["in_text"].findall(text)]


def host_of(address: str) -> str:
    """The host of an address in small letters, without `www.`; empty where there is none."""
    try:
        return (urlsplit(address).hostname or "").rstrip(".").removeprefix("www.")
    except ValueError:
        return ""


def shortened(address: str) -> bool:
    """Whether an address hides another."""
    return host_of(address) in HOSTS["shorteners"]


def oddities(address: str) -> Iterator[str]:
    """What is odd about an address that was given as a source, a clause each."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        yield "cannot be read"
        return
    seen = {
        "host": host_of(address),
        "port": str(port or ""),
        "place": parts.netloc,
        "path": parts.path,
        "query": unquote_plus(parts.query[:2_000]),
    }
    for of, shape, says in _ODDITIES:
        if shape.search(seen[of]):
            yield says.format(seen[of])


def injections(text: str) -> Iterator[tuple[str, int]]:
    """What in a text seems to be meant for reviewers or their tools: a clause each, and the line (from 1)."""
    plain = _SHAPES["spaced"].sub(lambda found: re.sub(r"[ .\-_*]", "", found[0]), privacy.normalised(text))
    versions = tuple(dict.fromkeys((plain, plain.translate(_LOOKALIKES))))
    # Some words are the same in several languages.
    yield from list(_matches(_ENGLISH, versions)) or _matches(_OTHERS, versions)
    yield from _hidden(text)


def _matches(sorts: Iterable[tuple[str, re.Pattern[str]]], versions: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each sort that tells somebody to do something, with the line of its first match."""
    for says, pattern in sorts:
        starts = ((text, one.start()) for text in versions for one in pattern.finditer(text))
        orders = (_line(text, at) for text, at in starts if not _BEFORE_A_REPORT.search(text[max(0, at - 60) : at]))
        if line := next(orders, 0):
            yield says, line


def _hidden(text: str) -> Iterator[tuple[str, int]]:
    shown = _SHAPES["code"].sub(lambda found: "\n" * found[0].count("\n"), text)
    if comment := _SHAPES["comment"].search(shown):
        yield "holds a comment or a style that a page hides", _line(shown, comment.start())
    if unseen := _SHAPES["unseen"].search(text):
        yield "holds characters that cannot be seen", _line(text, unseen.start())
    if blob := next((one for one in _SHAPES["blob"].finditer(text) if _says_something(one[0])), None):
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


def sales_talk(text: str) -> frozenset[str]:
    """The phrases of advertisements in a text, outside of quotations and code."""
    return frozenset(found.lower() for found in _SELLS.findall(_SHAPES["quoted"].sub(" ", text)))


def linked_by_markup(text: str) -> bool:
    """Whether a text holds links as forums and pages mark them, outside of quotations and code."""
    return bool(_SHAPES["markup"].search(_SHAPES["code"].sub(" ", text)))


def shouts(text: str) -> bool:
    """Whether most of a text of some length is in capitals, or it is full of exclamation marks."""
    shown = _SHAPES["quoted"].sub(" ", text)
    letters = [letter for letter in shown if letter.isalpha() and letter.lower() != letter.upper()]
    loud = sum(letter.isupper() for letter in letters)
    return (len(letters) >= 60 and loud > 0.7 * len(letters)) or len(re.findall(r"!{3,}", shown)) >= 2


def repeats(text: str) -> bool:
    """Whether a text says the same sentence five times or more, outside of code."""
    sentences = re.split(r"[.!?\n]+", _SHAPES["code"].sub(" ", text).casefold())
    said = Counter(tuple(words) for sentence in sentences if len(words := re.findall(r"\w+", sentence)) >= 3)
    return max(said.values(), default=0) >= 5
