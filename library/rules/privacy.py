"""Finds private data and secrets in a text by their shapes.

Some must never be published, and some a reviewer should see. Names and street addresses have no shape; they are left
to the reviewer. What is and is not found, and how well: docs/privacy.md.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from . import lookalikes

_ODD = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u2015\u202a-\u202e\u2060-\u2069\u2212\u3002\ufe00-\ufe0f\ufeff]|(?![0-9])\\d"
)
_FIRST = re.compile(
    r"[0-9@\-\[({/\\x](?:(?<=@)|[0-9 .\-()/]{5}|(?<=[A-Za-z_][0-9])|(?<=[0-9])(?:[A-Za-z_]|:[0-9A-Fa-f:]{3})"
    r"|----BEGIN|(?<=[\[({])[aA][tT][\])}]|(?:home|Users)/|Users\\|ox[a-z]-)"
)
_PASS = re.compile(r"pass(?:w|phrase|=)")
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


@dataclass(frozen=True, slots=True)
class Shape:
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
    if not (_FIRST.search(text) or "pwd" in lower or " dot " in lower or ("pass" in lower and _PASS.search(lower))):
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


_TOKENS = (
    r"sk-(?:ant|proj|svcacct|admin|or|live|lf)-[\w\-]{20,}|sk-[A-Za-z0-9]{20,}|[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
    r"gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{40,}|gl[a-z]{2,5}-[\w\-]{20,}|GOCSPX-[\w\-]{20,}|AIza[\w\-]{35}",
    r"xox[abeoprs]-[A-Za-z0-9\-]{10,}|xapp-\d-[A-Za-z0-9\-]{20,}|(?:AKIA|ASIA|ABIA)[A-Z0-9]{16}|ya29\.[\w\-]{20,}",
    r"npm_[A-Za-z0-9]{36}|pypi-[\w\-]{40,}|hf_[A-Za-z0-9]{30,}|SG\.[\w\-]{16,}\.[\w\-]{16,}|do[opr]_v1_[a-f0-9]{64}",
    r"key-[a-f0-9]{32}|[a-f0-9]{32}-us\d{1,2}|SK[a-f0-9]{32}|shp[a-z]{2}_[a-fA-F0-9]{32}|dapi[a-f0-9]{32}|hv[sbr]\.[\w\-]{24,}",
    r"pbl_[A-Za-z0-9]{49}|glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|EAA[A-Za-z0-9]{80,}|AT[AC]TT3[\w\-=]{50,}|fig[a-z]_[\w\-]{36,}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
    r"sq0[a-z]{3}-[\w\-]{22,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|dckr_[a-z]{3}_[\w\-]{24,}|AGE-SECRET-KEY-1[A-Z0-9]{58}",
    r"(?:nvapi|xai|pplx|tvly|tskey|pul|NRAK|CFPAT|xkeysib|ghapp|fc)-[\w\-]{24,}|(?:rubygems|lsv2_[a-z]{2}|sk)_[\w]{32,}",
    r"[MNO][A-Za-z0-9]{23,27}\.[\w\-]{6}\.[\w\-]{27,40}|(?:bot)?\d{8,10}:AA[\w\-]{33}|whsec_[A-Za-z0-9+/]{24,}",
    r"hooks\.slack\.com/services/T\w{8,}/B\w{8,}/\w{20,}|discord(?:app)?\.com/api/webhooks/\d{15,20}/[\w\-]{40,}",
)
_NAMED_KEY = (
    r"(?:secret|(?:api|access|account|auth|private|signing|encryption|subscription)[ _\-]?key|token)"
    r"(?:[ _\-]?(?:access)?[ _\-]?key(?:[ _\-]base)?)?"
)
_GIVEN = r"[\"']?\s{0,3}(?:=>|:=|[=:])\s{0,3}[\"']?"
_GIVEN_OR_TOLD = r"(?:" + _GIVEN + r"|\sis:?\s[\"']?(?=\S{0,40}\d))"
_VALUE = r"([^\s\"'`,;<>{}()\[\]]"
KINDS_IN_WORDS = {
    "private-key": "a private key",
    "token": "an API key or token",
    "jwt": "a signed token (JWT)",
    "password": "a password or secret",
    "e-mail": "an e-mail address",
    "card": "a payment card number",
    "iban": "a bank account number (IBAN)",
    "phone": "a phone number",
    "ip-address": "an IP address",
    "home-folder": "the name of somebody's home folder",
}
TOKEN_SHAPES = (
    Shape("token", r"(?a)(?<![A-Za-z0-9_])(" + "|".join(_TOKENS) + r")(?![A-Za-z0-9])", lookalikes.mixed),
    Shape(
        "token",
        r"(?<![A-Za-z0-9_])[a-z][a-z0-9]{1,12}_(?:[a-z0-9]{1,8}_)?([A-Za-z0-9]{32,200}+)(?!\w)",
        lookalikes.random,
    ),
)
WORDED_SHAPES = (
    Shape("private-key", r"-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----", hints=("-----begin",)),
    Shape("jwt", r"(?a)(?<!\w)eyJ[\w\-]{8,500}+\.eyJ[\w\-]{8,}+\.[\w\-]{8,}", hints=("eyj",)),
    Shape(
        "token",
        r"(?i)(?:\bbearer\s{1,3}|(?:sess(?:ion)?(?:[_\-]?(?:id|token))?|connect\.sid|\bsid)=)([\w\-.~+/=%]{16,2000})",
        lookalikes.random,
        ("bearer ", "sess", "sid="),
    ),
    Shape(
        "password",
        r"(?i)authorization[\"']?\s?[:=]\s?[\"']?basic\s{1,3}([\w+/]{8,300}+)",
        lookalikes.random,
        ("basic ",),
    ),
    Shape("password", r"://[^\s/:@\[]{0,64}+:([^\s/:@$<{\[\]]{6,64}+)@", lookalikes.chosen, ("://",)),
    Shape(
        "password",
        r"(?i)(?:passw(?:or)?d|passphrase|pwd|\bpass)" + _GIVEN_OR_TOLD + _VALUE + "{8,200}+)",
        lookalikes.chosen,
        ("passw", "passphrase", "pass=", "pwd"),
    ),
    Shape(
        "password", r"(?i)" + _NAMED_KEY + _GIVEN + _VALUE + "{16,500}+)", lookalikes.random, ("secret", "token", "key")
    ),
    Shape(
        "e-mail",
        r"(?<![\w.%+\-@])[\w.%+\-]{1,64}+@(?:[\w\-]{1,63}+\.){1,8}(?<=\.)[^\W\d_]{2,24}(?![\w\-]*[@\w])",
        lookalikes.person,
        ("@",),
    ),
    Shape(
        "e-mail",
        r"(?i)(?<![\w.+\-])[\w.+\-]{1,64}+(?: ?[\[({]at[\])}] ?[\w\-]{1,63}+(?: ?[\[({]dot[\])}] ?|\.| dot )"
        r"[a-z]{2,24}| at [\w\-]{1,63}+ dot (?:com|net|org|edu|io|ai|de|dev|app|co|uk|fr|eu|me|info))\b",
        hints=("[at]", "(at)", "{at}", " dot "),
    ),
    Shape(
        "ip-address",
        r"(?a)(?<![\w:.])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]{4,35}+)(?![\w:]|\.\d)",
        lookalikes.address,
        (".", "::", ":0:"),
        refused=False,
    ),
    Shape(
        "home-folder",
        r"(?:/home/|/Users/|[A-Z]:\\Users\\)(?!user\b|you\b|name\b|runner\b|<)[A-Za-z0-9._\-]{2,32}",
        hints=("/home/", "/users/", "\\users\\"),
        refused=False,
    ),
)
FIGURE_SHAPES = (
    Shape("iban", r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?:[ \-]?[A-Za-z0-9]){11,40}(?![A-Za-z0-9])", lookalikes.iban),
    Shape("card", r"(?<![\w.\-/])[0-9](?:[ \-]?[0-9]){12,24}(?![\w\-])", lookalikes.card),
    Shape(
        "phone",
        r"(?<![\w.+\-/])(?:\+|00(?=[ \d]{1,4}[ .\-]))(?:[ .\-/]{0,3}\(?[0-9]\)?){8,15}(?!\w)",
        lookalikes.abroad,
    ),
    Shape(
        "phone",
        r"(?<![\w.+\-/])(?:1[ .\-])?(?:\([2-9]\d\d\)[ .\-]?[2-9]\d\d[ .\-]|[2-9]\d\d([.\-])[2-9]\d\d\1)\d{4}(?![\w\-])",
        lookalikes.abroad,
    ),
    Shape("phone", r"(?a)(?<![\w+])\([1-9]\d\) ?9?\d{4}[ \-]\d{4}(?![\w\-])"),
    Shape(
        "phone",
        r"(?a)(?<![\w.+\-/(,:])(?<!\d )(?!\d{5}-\d{4}\b)\(?0[1-9]\d{0,4}\)?"
        r"(?:(?:[ \-/]{1,3}\d{2,8}){1,4}|(?:\.\d\d){4})(?![\w\-]|[.,:]\d| {1,2}\d\d\b)",
        lookalikes.national,
    ),
    Shape(
        "phone",
        r"(?i)\b(?:tele|mobile |cell ?)?(?:phone|fon|tel|mobile|cell|fax|whatsapp|sms|call|text)"
        r"(?: (?:me|us|her|him|number|no|at|on|is)){0,3}[ .:=#\"']{1,4}\+?"
        r"(\(?[0-9](?:[ .\-()/]{0,2}[0-9]){6,14})(?![\w%])",
        lookalikes.labelled,
    ),
)
