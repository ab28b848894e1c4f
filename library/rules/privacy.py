"""Finds private data and secrets in a text by their shapes.

Some must never be published, and some a reviewer should see. Names and street addresses have no shape; they are left
to the reviewer. The shapes are the table `privacy.yaml`; what is and is not found, and how well: docs/privacy.md.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, count, pairwise
from pathlib import Path
from typing import Any

import msgspec
import msgspec.yaml

_PLACEHOLDER = re.compile(r"(?i)example|your|xxxx|placeholder|redacted|change.?me|dummy|\.\.\.|\*\*\*|0{8}|1234567890$")
_CODE = re.compile(r"(?i)[$%]|process\.|os\.|env\b|/|~|https?:|[a-z_]+\.[a-z_]+\.")
_NAME_IN_CODE = re.compile(
    r"[a-z]{1,40}(?:[_\-.][a-z]{1,40}){1,20}[_\-.]?v?\d{0,4}|[A-Z]{1,40}(?:[_\-.][A-Z]{1,40}){1,20}[_\-.]?V?\d{0,4}"
    r"|\D?[a-z]{1,40}\.[a-z]\w{1,80}"
)
_TURNS = re.compile(r"[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])|[a-z](?=[A-Z])")
_NO_PERSON = re.compile(
    r"(?i)@(?:.*\.)?(?:example|test|invalid|localhost|localdomain|local|internal|lan|corp|users\.noreply\.github\.com)$"
    r"|@(?:.*\.)?example\.[a-z]{2,4}(?:\.[a-z]{2})?$|@(?:.*\.)?(?:your[\w\-]*|my(?:company|domain|site|team))\.[a-z]+$"
    r"|^(?:git|no-?reply|do-?not-?reply)@|@v?\d+\.\d|@\dx\."
    r"|^(?:you|user|name|email|your\.?name|someone|first(?:name)?\.last(?:name)?)@(?:domain|company|email|site|host)\."
    r"|\.(?:png|svg|jpe?g|gif|webp|py|js|ts|jsx|tsx|json|ya?ml|toml|css|html?|tgz|gz|tar|jar|lock|txt)$"
)
_FICTIONAL = re.compile(r"55501\d\d$|^1?555|^(?:44|0)(?:2079460|7700900|1632960|1\d1496|11[3-8]496)\d{3,4}$")
_COUNTRY = re.compile(
    r"1|7|2[07]|2[1-69]\d|3[0-469]|3[578]\d|4[013-9]|42\d|5[09]\d|5[1-8]|6[0-6]|6[789]\d|8[0578]\d|8[1246]|9[0-58]|9[679]\d"
)
_AMERICAN = re.compile(r"1?[2-9](?!11)\d{2}[2-9](?!11)\d{6}")
_DATE = re.compile(r"\d{1,2}[ ./\-]\d{1,2}[ ./\-](?:19|20)\d\d")
_BRANDS = re.compile(
    r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|5\d\d|4[4-9]\d)\d{12}|62\d{14,17}"
    r"|(?:50[1-3]8|5893|6304|6759|676[1-3])\d{8,15}"
)

_NOBODY = re.compile(
    r"(?i)(?:(?:my|your|the|some|test|app|ec2|azure|kasm|demo|local|build|non|new|other|pw|sel|super)?[_\-.]?"
    r"(?:users?|username|name|root|admin|account|home|dir|folder)[_\-.]?\d{0,4}|your[\w.\-]*|runner[\w\-]*|x+|foo|bar|me"
    r"|you|someone|nobody|guest|shared|public|default|all|administrator|example|ubuntu|debian|fedora|centos|opc|vagrant"
    r"|codespace|vscode|coder|gitpod|jovyan|node|linuxbrew|git|gitlab|github|jenkins|circleci|travis|ci|build|builder|dev"
    r"|devuser|developer|deploy|deployer|app|api|web|www|www-data|nginx|apache|postgres|mysql|redis|oracle|hadoop|spark"
    r"|airflow|ansible|docker|container|agent|sandbox|claude|codex|cursor|bot|service|server|data|code|src|work|workspace"
    r"|projects?|repos?|tests?|tester|demo|pi|steam|odoo|frappe|python|rails|ruby|rust|dotnet|chrome|playwright|puppeteer"
    r"|dashboard|index|pages?|settings|profile|login|about|welcome|feed|news|search|[\w\-]+\.(?:[jt]sx?|html?|vue|md|php))"
)


def person(match: re.Match[str]) -> bool:
    """Whether an address may reach a person, and is not the user's part of a longer address."""
    before = match.string[max(0, match.start() - 80) : match.start()]
    return not _NO_PERSON.search(match[0]) and not re.search(r"://[^\s/?]{0,80}\Z", before)


def _digits(match: re.Match[str]) -> str:
    return re.sub(r"\D", "", match[0])


def card(match: re.Match[str]) -> bool:
    """Whether some of the groups are a card number: an expiry date may follow it, a count stand before it."""
    groups = re.split(r"[ \-]", match[0])
    if len(groups) > 12:  # every figure for itself
        return _luhn(groups)
    return any(_luhn(groups[start:end]) for end in range(1, len(groups) + 1) for start in range(end))


def _luhn(groups: list[str]) -> bool:
    digits = "".join(groups)
    lengths = {len(group) for group in groups}
    if not _BRANDS.fullmatch(digits) or (min(lengths) < 3 and max(lengths) > 1):
        return False
    doubled = ("0246813579"[int(digit)] if index % 2 else digit for index, digit in enumerate(reversed(digits)))
    return sum(map(int, doubled)) % 10 == 0


def iban(match: re.Match[str]) -> bool:
    """Whether the match is an account number, or begins with one: a word may follow it."""
    length = IBAN_LENGTHS.get(match[0][:2].upper(), 0)
    parts = accumulate(re.split(r"[ \-]", match[0].upper()))
    letters = next((letters for letters in parts if len(letters) >= length), "")
    moved = letters[4:] + letters[:4]
    return len(moved) == length > 0 and int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def _real_number(digits: str) -> bool:
    return len(set(digits)) > 2 and digits not in "01234567890123456789" and not _FICTIONAL.search(digits)


def abroad(match: re.Match[str]) -> bool:
    """Whether a number has a country that exists and a length that can be; one without + or 00 is American."""
    digits = _digits(match).removeprefix("00")
    if digits[0] == "1" or not match[0].startswith(("+", "0")):
        return bool(_AMERICAN.fullmatch(digits)) and _real_number(digits)
    country = _COUNTRY.match(digits)
    possible = country and 9 <= len(digits) <= 15 and not digits.startswith("00", country.end())
    return bool(possible) and not re.match("00.* 00", match[0]) and _real_number(digits)


def national(match: re.Match[str]) -> bool:
    """Whether figures that begin with a zero are a phone number, not a date and no counting."""
    groups = [int(group) for group in re.findall(r"\d+", match[0])]
    counting = all(after - before == 1 for before, after in pairwise(groups))
    dated = _DATE.match(match[0]) or (max(groups[:2]) < 100 and re.search(r"\b(?:19|20)\d\d\b", match[0]))
    return not counting and not dated and 9 <= len(_digits(match)) <= 12 and _real_number(_digits(match))


def labelled(match: re.Match[str]) -> bool:
    """Whether figures after a word such as `phone` are a number, not a date."""
    digits = re.sub(r"\D", "", match[1])
    return 7 <= len(digits) <= 15 and _real_number(digits) and not _DATE.match(match[1])


def mixed(match: re.Match[str]) -> bool:
    """Whether the last group looks drawn at random: not a placeholder such as XXXX or your-key-here."""
    token = match[match.lastindex or 0]
    kinds = sum(bool(re.search(pattern, token)) for pattern in ("[a-z]", "[A-Z]", "[0-9]"))
    return kinds >= 2 and len(set(token)) >= 8 and not _PLACEHOLDER.search(token)


def random(match: re.Match[str]) -> bool:
    """Whether a long value is no name and no placeholder: figures and letters alternate in it."""
    value = match[match.lastindex or 0]
    return mixed(match) and len(_TURNS.findall(value)) >= 4 and not _CODE.match(value)


def chosen(match: re.Match[str]) -> bool:
    """Whether a value was chosen as a password: no placeholder, no variable, no call and no name in code."""
    value = match[match.lastindex or 0].rstrip(".")
    if _PLACEHOLDER.search(value) or _CODE.match(value) or _NAME_IN_CODE.fullmatch(value):
        return False
    mixed = sum(bool(re.search(pattern, value)) for pattern in ("[a-z]", "[A-Z]", "[0-9]", r"[^\w\-.:/]")) >= 2
    called = match.string[match.end() : match.end() + 1] in ("(", "[")
    return mixed and not called and len(set(value)) >= 6 and bool(re.search(r"[0-9]|[^\w\-.:/]", value))


def address(match: re.Match[str]) -> bool:
    """Whether an address is one of the world's or of an internal network: none of documents, none of the machine."""
    try:
        address = ipaddress.ip_address(match[0])
    except ValueError:
        return False
    return address.is_global or match[0].startswith(("10.", "172.", "192.168."))


def somebody(match: re.Match[str]) -> bool:
    """Whether a home folder is called after a person, not after a machine, a service or a placeholder."""
    return not _NOBODY.fullmatch(match[match.lastindex or 0].rstrip("."))


_ODD = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u2015\u202a-\u202e\u2060-\u2069\u2212\u3002\ufe00-\ufe0f\ufeff]|(?![0-9])\\d"
)
_FIRST = re.compile(
    r"[0-9@\-\[({/\\x](?:(?<=@)|[0-9 .\-()/]{5}|(?<=[A-Za-z_][0-9])|(?<=[0-9])(?:[A-Za-z_]|:[0-9A-Fa-f:]{3})"
    r"|----BEGIN|(?<=[\[({])[aA][tT][\])}]|(?:home|Users)/|[Uu]sers\\|Documents and S|ox[a-z]-)"
)
_PASS = re.compile(r"pw|pass(?:w|phrase|=|[ :]{1,2}\S{0,40}\d)")
_FIGURES = re.compile(r"[0-9][0-9 .\-()/]{5}")
_LONG = re.compile(r"[\w\-+/]{15}")


@dataclass(frozen=True, slots=True)
class PrivateMatch:
    """Something private: its kind, its place in the normalised text, whether it must be refused; never the value."""

    kind: str
    start: int
    end: int
    refused: bool = True

    @property
    def words(self) -> str:
        """The kind, as a sentence wants it: `an e-mail address`."""
        return KINDS_IN_WORDS[self.kind]


class Shape(msgspec.Struct, frozen=True):
    """A kind, what it looks like, and what makes a look-alike real; looked for only where a hint stands in the text."""

    kind: str
    pattern: str
    accept: Callable[[re.Match[str]], bool] = bool
    hints: tuple[str, ...] = ()
    refused: bool = True


def normalised(text: str) -> str:
    """The text as it is searched: NFKC, no invisible characters, hyphens, full stops and figures as in ASCII."""
    return text if text.isascii() else _ODD.sub(_plain, unicodedata.normalize("NFKC", text))


def _plain(match: re.Match[str]) -> str:
    if match[0].isdecimal():
        return str(unicodedata.decimal(match[0]))
    return {"\u3002": ".", "\u2212": "-"}.get(match[0], "-" if unicodedata.category(match[0]) == "Pd" else "")


def find(text: str) -> Iterator[PrivateMatch]:
    """Everything private in a text, kind by kind; what was found as one kind is not found as another. Linear."""
    text = normalised(text)
    lower = text.lower()
    if not (_FIRST.search(text) or " dot " in lower or (("pass" in lower or "pw" in lower) and _PASS.search(lower))):
        return  # nearly every text ends here
    shapes = list(TOKEN_SHAPES) if _LONG.search(text) else []
    shapes += [shape for shape in WORDED_SHAPES if any(hint in lower for hint in shape.hints)]
    if _FIGURES.search(text):
        shapes.extend(FIGURE_SHAPES)
    taken = bytearray(len(text))
    for shape in shapes:
        for match in _compiled(shape.pattern).finditer(text):
            start, end = match.span()
            if 1 not in taken[start:end] and shape.accept(match):
                taken[start:end] = b"\1" * (end - start)
                yield PrivateMatch(shape.kind, start, end, shape.refused)


_compiled = cache(re.compile)
"""A shape's pattern, made when a text first asks for it: most processes never do."""


def _shapes(rows: list[dict[str, Any]]) -> tuple[Shape, ...]:
    """The shapes of some rows of the table: the parts of a pattern joined, a function in place of its name."""
    joined = [{**row, "pattern": "".join(row["pattern"])} for row in rows]
    return msgspec.convert(joined, tuple[Shape, ...], dec_hook=lambda _, name: globals()[name])


_TABLE = msgspec.yaml.decode(Path(__file__).with_suffix(".yaml").read_bytes())
KINDS_IN_WORDS: Mapping[str, str] = _TABLE["kinds"]
TOKEN_SHAPES, WORDED_SHAPES, FIGURE_SHAPES = (_shapes(_TABLE[name]) for name in ("tokens", "worded", "figures"))
IBAN_LENGTHS: Mapping[str, int] = _TABLE["ibans"]
"""Each country with the length of its account numbers."""


_HELPERS = (
    *("odd", "first", "pass", "figures", "long", "placeholder", "code", "name_in_code", "turns", "no_person"),
    *("fictional", "country", "american", "date", "brands", "nobody"),
)
_WORD = r"\p{L}\p{N}_"
_EDGE = rf"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))"
_UNICODE = {"w": f"[{_WORD}]", "d": r"\p{Nd}", "b": _EDGE, "D": r"\P{Nd}"}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_QUANTIFIER = r"[*+?]|\{\d+(?:,\d*)?\}"
_PIECE = re.compile(rf"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!])|\(\?|(?:{_QUANTIFIER})\+?|.", re.DOTALL)


def browser_table() -> dict[str, Any]:
    """The same search for a browser: plain values, with the patterns in JavaScript's spelling (flag `u`).

    They are `shapes` in their order, the `patterns` that functions use, and the lengths of account numbers. A shape's
    `when` names the pattern that must be in a text to make it worth looking for. What makes a look-alike real is a
    function there by the same name (`site_templates/assets/form-private.js`).
    """
    groups = ((TOKEN_SHAPES, "long"), (WORDED_SHAPES, ""), (FIGURE_SHAPES, "figures"))
    return {
        "shapes": [_shape(shape, when) for shapes, when in groups for shape in shapes],
        "patterns": {name: to_javascript(globals()[f"_{name.upper()}"].pattern) for name in _HELPERS},
        "ibans": IBAN_LENGTHS,
    }


def _shape(shape: Shape, when: str) -> dict[str, Any]:
    source, flags = to_javascript(shape.pattern)
    accept = "" if shape.accept is bool else shape.accept.__name__
    found = {"kind": shape.kind, "words": KINDS_IN_WORDS[shape.kind], "pattern": source}
    return {**found, "flags": flags, "accept": accept, "when": when, "hints": shape.hints, "refused": shape.refused}


def to_javascript(pattern: str) -> tuple[str, str]:
    """A pattern and its flags: captures become `g1`, `g2` …; `\\w`, `\\d` and `\\b` mean what they mean in Python.

    A possessive quantifier, which JavaScript has not, becomes a greedy one: what follows one here never begins with
    what it repeats, so both match the same. Raises `ValueError` for what it does not know, so that no pattern is
    carried over wrongly.
    """
    head = re.match(r"\(\?([ai]+)\)", pattern)
    inline = head[1] if head else ""
    numbers = count(1)
    pieces = _PIECE.findall(pattern[head.end() if head else 0 :])
    source = "".join(_piece(piece, numbers, only_ascii="a" in inline) for piece in pieces)
    return source, "u" + ("i" if "i" in inline else "")


def _piece(piece: str, numbers: Iterator[int], *, only_ascii: bool) -> str:
    if piece == "(?":
        raise ValueError("a group of another kind")
    if piece == "(":
        return f"(?<g{next(numbers)}>"
    if len(piece) > 1 and re.fullmatch(rf"(?:{_QUANTIFIER})\+", piece):
        return piece[:-1]
    if piece == r"[^\W\d_]":
        return r"\p{L}"
    if piece[0] == "[":
        return re.sub(r"\\(.)", lambda found: _escape(found[1], within=True, only_ascii=only_ascii), piece)
    if piece[0] == "\\":
        return _escape(piece[1], within=False, only_ascii=only_ascii)
    return "\\" + piece if piece in "]{}" else piece


def _escape(letter: str, *, within: bool, only_ascii: bool) -> str:
    """An escape; `within` a class, where a word's edge, a reference and all that is left out mean nothing."""
    if letter in "sS" or (only_ascii and letter in ("wd" if within else "wdbD")):
        return "\\" + letter
    if within and letter in "wd":
        return _UNICODE[letter].strip("[]")
    if not within and letter in _UNICODE:
        return _UNICODE[letter]
    if not within and letter.isdigit():
        return f"\\k<g{letter}>"
    if not within and letter == "Z":
        return "$"
    if letter.isalnum():
        raise ValueError(f"an unknown escape: \\{letter}")
    return "\\" + letter if letter in _SYNTAX or (within and letter == "-") else letter
