"""Finds private data and secrets in a text by their shapes.

Some must never be published, and some a reviewer should see. Names and street addresses have no shape; they are left
to the reviewer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_ZERO_WIDTH = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_HINT = re.compile(
    r"@|\d{3}|-----BEGIN|eyJ|[A-Za-z0-9_\-]{20}|xox[a-z]-|\d[ .\-()]\d|/home/|/Users/|\\Users\\|\d\.\d{1,3}\.\d|\+\d"
    r"|(?i:password|passwd|secret|api[_-]?key|token)\s{0,3}[=:]"
)
_EXAMPLE_DOMAINS = re.compile(
    r"(?:^|\.)(?:example(?:\.(?:com|net|org|edu))?|test|invalid|localhost|local)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something private: its kind, its place in the normalised text, and whether it must be refused.

    It never holds the value itself.
    """

    kind: str
    start: int
    end: int
    refused: bool = True

    @property
    def words(self) -> str:
        """The kind, as a sentence wants it: `an e-mail address`."""
        return _KINDS_IN_WORDS[self.kind]


@dataclass(frozen=True, slots=True)
class _Shape:
    kind: str
    pattern: re.Pattern[str]
    accept: Callable[[re.Match[str]], bool] = lambda _match: True
    refused: bool = True


def normalised(text: str) -> str:
    """The text as it is searched: NFKC, without zero-width characters."""
    if text.isascii():
        return text
    return _ZERO_WIDTH.sub("", unicodedata.normalize("NFKC", text))


def find(text: str) -> Iterator[Finding]:
    """Everything private in a text, kind by kind. Linear in its length."""
    text = normalised(text)
    if not _HINT.search(text):
        return
    for shape in _SHAPES:
        for match in shape.pattern.finditer(text):
            if shape.accept(match):
                yield Finding(shape.kind, match.start(), match.end(), shape.refused)


def _real_mail(match: re.Match[str]) -> bool:
    local, _, domain = match[0].rpartition("@")
    if _EXAMPLE_DOMAINS.search(domain):
        return False
    return not (local.casefold() == "git" or domain.casefold().endswith((".png", ".svg", ".py", ".js")))


def _digits(match: re.Match[str]) -> str:
    return re.sub(r"\D", "", match[0])


def _luhn(match: re.Match[str]) -> bool:
    digits = _digits(match)
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 3:
        return False
    total = 0
    for index, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + index % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _iban(match: re.Match[str]) -> bool:
    """Whether the match is an account number, or begins with one: a word in capitals may follow it."""
    parts = match[0].split(" ")
    return any(_adds_up("".join(parts[:count])) for count in range(1, len(parts) + 1))


def _adds_up(letters: str) -> bool:
    if not 15 <= len(letters) <= 34:
        return False
    moved = letters[4:] + letters[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def _phone(match: re.Match[str]) -> bool:
    digits = _digits(match)
    fictional = "555" in digits[:7] and "01" in digits[-5:]
    return 9 <= len(digits) <= 15 and not fictional and len(set(digits)) > 2


def _mixed(match: re.Match[str]) -> bool:
    """Whether the last group looks drawn at random: not a placeholder such as XXXX or your-key-here."""
    token = match[match.lastindex or 0]
    kinds = sum(bool(re.search(pattern, token)) for pattern in ("[a-z]", "[A-Z]", "[0-9]"))
    return kinds >= 2 and len(set(token)) >= 8 and not re.search(r"(?i)example|your|xxxx|placeholder|redacted", token)


def _public_address(match: re.Match[str]) -> bool:
    parts = [int(part) for part in match[0].split(".")]
    documentation = match[0].startswith(("192.0.2.", "198.51.100.", "203.0.113.", "127.", "0.", "255."))
    return all(part <= 255 for part in parts) and not documentation


_TOKENS = (
    r"sk-(?:ant-|proj-|svcacct-|live-)?[A-Za-z0-9_\-]{20,}",
    r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
    r"gh[pousr]_[A-Za-z0-9]{30,}",
    r"github_pat_[A-Za-z0-9_]{40,}",
    r"glpat-[A-Za-z0-9_\-]{20,}",
    r"xox[abposr]-[A-Za-z0-9\-]{10,}",
    r"(?:AKIA|ASIA)[A-Z0-9]{16}",
    r"AIza[A-Za-z0-9_\-]{35}",
    r"ya29\.[A-Za-z0-9_\-]{20,}",
    r"npm_[A-Za-z0-9]{36}",
    r"pypi-[A-Za-z0-9_\-]{40,}",
    r"hf_[A-Za-z0-9]{30,}",
    r"SG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}",
    r"dop_v1_[a-f0-9]{64}",
    r"pbl_[A-Za-z0-9]{49}",
)
_KINDS_IN_WORDS = {
    "private-key": "a private key",
    "token": "an API key or token",
    "jwt": "a signed token (JWT)",
    "password": "a password",
    "e-mail": "an e-mail address",
    "card": "a payment card number",
    "iban": "a bank account number (IBAN)",
    "phone": "a phone number",
    "ip-address": "an IP address",
    "home-folder": "the name of somebody's home folder",
}
_SHAPES = (
    _Shape("private-key", re.compile(r"-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----")),
    _Shape("token", re.compile(r"(?<![A-Za-z0-9_])(" + "|".join(_TOKENS) + r")(?![A-Za-z0-9])"), _mixed),
    _Shape("jwt", re.compile(r"(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_\-]{8,1000}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}")),
    _Shape(
        "password",
        re.compile(
            r"(?i)\b(?:password|passwd|secret|api[_-]?key|token)\s{0,3}[=:]\s{0,3}[\"']?([A-Za-z0-9_\-+/!$%&#]{12,200})"
        ),
        _mixed,
    ),
    _Shape("password", re.compile(r"\b[a-z][a-z0-9+]{1,15}://[^\s/:@]{1,64}:([^\s/:@$<{]{6,64})@"), _mixed),
    _Shape(
        "e-mail",
        re.compile(r"(?<![A-Za-z0-9._%+\-])[A-Za-z0-9._%+\-]{1,64}@(?:[A-Za-z0-9\-]{1,63}\.){1,8}[A-Za-z]{2,24}\b"),
        _real_mail,
    ),
    _Shape("card", re.compile(r"(?<![\w.\-])\d(?:[ \-]?\d){12,18}(?![\w\-])"), _luhn),
    _Shape("iban", re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)"), _iban),
    _Shape(
        "phone",
        re.compile(
            r"(?<![\w.+/\-])(?:\+\d{1,3}[ .\-]?(?:\(\d{1,4}\)[ .\-]?)?\d(?:[ .\-]?\d){6,12}"
            r"|\(\d{3}\) ?\d{3}[ .\-]\d{4})(?![\w\-])"
        ),
        _phone,
    ),
    _Shape("ip-address", re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d)"), _public_address, refused=False),
    _Shape(
        "home-folder",
        re.compile(r"(?:/home/|/Users/|[A-Z]:\\Users\\)(?!user\b|you\b|name\b|runner\b|<)[A-Za-z0-9._\-]{2,32}"),
        refused=False,
    ),
)
