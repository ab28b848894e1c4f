"""Finds private data and secrets in a text by their shapes.

Some must never be published, and some a reviewer should see. Names and street addresses have no shape; they are left
to the reviewer. The shapes are the table `privacy.yaml`; what is and is not found, and how well: docs/privacy.md.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import msgspec
import msgspec.yaml
import orjson

_TABLE = msgspec.yaml.decode(Path(__file__).with_suffix(".yaml").read_bytes())
KINDS_IN_WORDS: Mapping[str, str] = _TABLE["kinds"]
PATTERNS = {name: re.compile("".join(parts)) for name, parts in _TABLE["patterns"].items()}
IBAN_LENGTHS: Mapping[str, int] = _TABLE["ibans"]


def person(match: re.Match[str]) -> bool:
    """Whether an address may reach a person, and is not the user's part of a longer address."""
    before = match.string[max(0, match.start() - 80) : match.start()]
    return not PATTERNS["no_person"].search(match[0]) and not re.search(r"://[^\s/?]{0,80}\Z", before)


def _digits(match: re.Match[str]) -> str:
    return re.sub(r"\D", "", match[0])


def card(match: re.Match[str]) -> bool:
    """Whether some of the groups are a card number: an expiry date may follow it, a count stand before it."""
    groups = re.split(r"[ \-]", match[0])
    if len(groups) > 12:  # every figure for itself
        return _luhn(groups)
    return any(_luhn(groups[start:end]) for start, end in _numbers([len(group) for group in groups]))


def _numbers(lengths: list[int]) -> Iterator[tuple[int, int]]:
    """Which runs of groups of such lengths may be one card number: none is written in pairs, so few are tried."""
    for start, first in enumerate(lengths):
        figures = 0
        for end, length in enumerate(lengths[start:], start + 1):
            figures += length
            if length == 2 or (length == 1) != (first == 1) or figures > 19:
                break
            if figures >= 12:
                yield start, end


def _luhn(groups: list[str]) -> bool:
    digits = "".join(groups)
    lengths = {len(group) for group in groups}
    if not PATTERNS["brands"].fullmatch(digits) or (min(lengths) < 3 and max(lengths) > 1):
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
    return len(set(digits)) > 2 and digits not in "01234567890123456789" and not PATTERNS["fictional"].search(digits)


def abroad(match: re.Match[str]) -> bool:
    """Whether a number has a country that exists and a length that can be; one without + or 00 is American."""
    digits = _digits(match).removeprefix("00")
    if digits[0] == "1" or not match[0].startswith(("+", "0")):
        return bool(PATTERNS["american"].fullmatch(digits)) and _real_number(digits)
    country = PATTERNS["country"].match(digits)
    possible = country and 9 <= len(digits) <= 15 and not digits.startswith("00", country.end())
    return bool(possible) and not re.match("00.* 00", match[0]) and _real_number(digits)


def national(match: re.Match[str]) -> bool:
    """Whether figures that begin with a zero are a phone number, not a date and no counting."""
    groups = [int(group) for group in re.findall(r"\d+", match[0])]
    counting = all(after - before == 1 for before, after in pairwise(groups))
    dated = PATTERNS["date"].match(match[0]) or (max(groups[:2]) < 100 and re.search(r"\b(?:19|20)\d\d\b", match[0]))
    return not counting and not dated and 9 <= len(_digits(match)) <= 12 and _real_number(_digits(match))


def labelled(match: re.Match[str]) -> bool:
    """Whether figures after a word such as `phone` are a number, not a date."""
    digits = re.sub(r"\D", "", match[1])
    return 7 <= len(digits) <= 15 and _real_number(digits) and not PATTERNS["date"].match(match[1])


def mixed(match: re.Match[str]) -> bool:
    """Whether the last group looks drawn at random: not a placeholder such as XXXX or your-key-here."""
    token = match[match.lastindex or 0]
    kinds = sum(bool(re.search(pattern, token)) for pattern in ("[a-z]", "[A-Z]", "[0-9]"))
    return kinds >= 2 and len(set(token)) >= 8 and not PATTERNS["placeholder"].search(token)


def random(match: re.Match[str]) -> bool:
    """Whether a long value is no name and no placeholder: figures and letters alternate in it."""
    value = match[match.lastindex or 0]
    return mixed(match) and len(PATTERNS["turns"].findall(value)) >= 4 and not PATTERNS["code"].match(value)


def chosen_password(match: re.Match[str]) -> bool:
    """Whether a value was chosen as a password: no placeholder, no variable, no call and no name in code."""
    value = match[match.lastindex or 0].rstrip(".")
    if (
        PATTERNS["placeholder"].search(value)
        or PATTERNS["code"].match(value)
        or PATTERNS["name_in_code"].fullmatch(value)
    ):
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
    return not PATTERNS["nobody"].fullmatch(match[match.lastindex or 0].rstrip("."))


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
    """A kind, what it looks like, and what makes a look-alike real.

    It is looked for where the pattern `when` and one of the hints, if it has such, stand in the text.
    """

    kind: str
    pattern: str
    accept: Callable[[re.Match[str]], bool] = bool
    when: str = ""
    hints: tuple[str, ...] = ()
    refused: bool = True


def normalised(text: str) -> str:
    """The text as it is searched: NFKC, no invisible characters, hyphens, full stops and figures as in ASCII."""
    return text if text.isascii() else PATTERNS["odd"].sub(_plain, unicodedata.normalize("NFKC", text))


def _plain(match: re.Match[str]) -> str:
    if match[0].isdecimal():
        return str(unicodedata.decimal(match[0]))
    return {"\u3002": ".", "\u2212": "-"}.get(match[0], "-" if unicodedata.category(match[0]) == "Pd" else "")


def find(text: str) -> Iterator[PrivateMatch]:
    """Everything private in a text, kind by kind; what was found as one kind is not found as another. Linear."""
    text = normalised(text)
    lower = text.lower()
    if not (PATTERNS["first"].search(text) or " dot " in lower or PATTERNS["pass"].search(lower)):
        return  # nearly every text ends here
    there = {"", *(name for name in ("long", "figures") if PATTERNS[name].search(text))}
    taken = bytearray(len(text))
    for shape in SHAPES:
        if shape.when not in there or (shape.hints and not any(hint in lower for hint in shape.hints)):
            continue
        for match in re.finditer(shape.pattern, text):
            start, end = match.span()
            if 1 not in taken[start:end] and shape.accept(match):
                taken[start:end] = b"\1" * (end - start)
                yield PrivateMatch(shape.kind, start, end, shape.refused)


SHAPES = msgspec.convert(
    [{**row, "pattern": "".join(row["pattern"])} for row in _TABLE["shapes"]],
    tuple[Shape, ...],
    dec_hook=lambda _, name: globals()[name],
)
"""The shapes of the table: the parts of a pattern joined, a function in place of its name."""


def browser_table() -> dict[str, Any]:
    """The same search for a browser, with the patterns in JavaScript's spelling (`python -m tools.private_table`)."""
    found: dict[str, Any] = orjson.loads(Path(__file__).with_suffix(".browser.json").read_bytes())
    return found
