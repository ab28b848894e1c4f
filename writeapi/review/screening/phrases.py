"""What the words and addresses of a text give away: orders to reviewers, what is hidden, advertising; none is fetched.

A match says where to look, never that somebody meant harm: reports about agents speak of prompts too.
"""

import base64
import binascii
import ipaddress
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlsplit

from library.rules import privacy

HOSTS = tomllib.loads(Path(__file__).with_name("hosts.toml").read_text(encoding="utf-8"))
_SHORTENERS = frozenset(HOSTS["shorteners"])
_NOT_PUBLIC = tuple(f".{name}" for name in HOSTS["not_public"])
_TRACKING = re.compile(
    r"utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|_hs(?:enc|mi)|aff(?:iliate)?(?:_?id)?|referral\w*"
)
_CARRIES_SECRET = re.compile(r"(?i)(?:access_?|auth_?|id_?|session_?)?(?:token|password|passwd|secret|api_?key|sid)")
_PROGRAM = re.compile(r"(?i)\.(?:exe|msi|dmg|pkg|scr|bat|cmd|apk|jar|vbs|ps1|iso)$")
_IN_TEXT = re.compile(r"https?://[^\s<>\"'`)\]}|]{3,2000}", re.IGNORECASE)


def in_text(text: str) -> list[str]:
    """The addresses in running text, without the punctuation that follows them."""
    return [found.rstrip(".,;:!?*_") for found in _IN_TEXT.findall(text)]


def host_of(address: str) -> str:
    """The host of an address in small letters, without `www.`; empty where there is none."""
    try:
        return (urlsplit(address).hostname or "").rstrip(".").removeprefix("www.")
    except ValueError:
        return ""


def shortened(address: str) -> bool:
    """Whether an address hides another."""
    return host_of(address) in _SHORTENERS


def oddities(address: str) -> Iterator[str]:
    """What is odd about an address that was given as a source, a clause each."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        yield "cannot be read"
        return
    host = host_of(address)
    if shortened(address):
        yield "hides where it leads (a shortener)"
    if _number(host):
        yield "names a machine by its number"
    elif "." not in host or f".{host}".endswith(_NOT_PUBLIC):
        yield "leads to no public place"
    if host.startswith("xn--") or ".xn--" in host or not host.isascii():
        yield "has letters in its host that may look like others"
    if "@" in parts.netloc:
        yield "holds credentials"
    if port not in (None, 80, 443):
        yield f"has the unusual port {port}"
    if _PROGRAM.search(parts.path):
        yield "leads to a file that runs"
    yield from _of_query(parts)


def _of_query(parts: SplitResult) -> Iterator[str]:
    names = [name for name, _ in parse_qsl(parts.query[:2_000], keep_blank_values=True)]
    if any(_TRACKING.fullmatch(name.lower()) for name in names):
        yield "follows its readers (a tracking parameter)"
    if any(_CARRIES_SECRET.fullmatch(name) for name in names):
        yield "carries what looks like a secret"


def _number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return bool(re.fullmatch(r"(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]+|\d+)){0,3}", host))
    return True


PHRASES = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))


def _pattern(shapes: Iterable[str], flags: int = re.IGNORECASE) -> re.Pattern[str]:
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
_LOOKALIKES = str.maketrans("аеорсухіѕјԁһԛԝАВЕКМНОРСТХІЅЈαεοινκτυρ", "aeopcyxisjdhqwABEKMHOPCTXISJaeoivktup")
_LONG_BLOB = 400


def injections(text: str) -> Iterator[tuple[str, int]]:
    """What in a text seems to be meant for reviewers or their tools: a clause each, and the line (from 1)."""
    plain = _SPACED.sub(lambda found: re.sub(r"[ .\-_*]", "", found[0]), privacy.normalised(text))
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


_SELLS = re.compile(rf"\b(?:{'|'.join(PHRASES['advertising']['shapes'])})\b", re.IGNORECASE)
_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"]{1,2000}\"|“[^”]{1,2000}”|«[^»]{1,2000}»|(?m:^[^\S\n]*>[^\n]*$)"
    r"|(?<!\w)'[^'\n]{3,500}'(?!\w)",
    re.DOTALL,
)
_MARKUP = re.compile(r"\[url[=\]]|\[/url\]|<a\s[^>]{0,200}href", re.IGNORECASE)


def sales_talk(text: str) -> frozenset[str]:
    """The phrases of advertisements in a text, outside of quotations and code."""
    return frozenset(found.lower() for found in _SELLS.findall(_QUOTED.sub(" ", text)))


def linked_by_markup(text: str) -> bool:
    """Whether a text holds links as forums and pages mark them, outside of quotations and code."""
    return bool(_MARKUP.search(CODE.sub(" ", text)))


def shouts(text: str) -> bool:
    """Whether most of a text of some length is in capitals, or it is full of exclamation marks."""
    shown = _QUOTED.sub(" ", text)
    letters = [letter for letter in shown if letter.isalpha() and letter.lower() != letter.upper()]
    loud = sum(letter.isupper() for letter in letters)
    return (len(letters) >= 60 and loud > 0.7 * len(letters)) or len(re.findall(r"!{3,}", shown)) >= 2


def repeats(text: str) -> bool:
    """Whether a text says the same sentence five times or more, outside of code."""
    sentences = re.split(r"[.!?\n]+", CODE.sub(" ", text).casefold())
    said = Counter(tuple(words) for sentence in sentences if len(words := re.findall(r"\w+", sentence)) >= 3)
    return max(said.values(), default=0) >= 5
