"""API keys, edit tokens and ids: made from given randomness, shown once, kept as SHA-256 only."""

import hashlib
import re
import string
import zlib
from collections.abc import Callable
from dataclasses import dataclass

Randomness = Callable[[int], bytes]
"""Gives that many unguessable bytes: `secrets.token_bytes`, or a seeded stand-in in tests."""

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_BASE32 = string.ascii_lowercase + "234567"
_KEY = re.compile(r"pbl_([0-9A-Za-z]{43})([0-9A-Za-z]{6})")
is_token = re.compile(r"edt_[0-9A-Za-z]{43}").fullmatch  # whether a text has the form of an edit token
is_prefix = re.compile(r"pbl_[0-9A-Za-z]{8}").fullmatch
"""Whether a text has the form of a key's first characters, as lists show them."""
PREFIX_LENGTH = 12


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made: the text, to be shown once, and what is kept of it."""

    text: str
    hash: bytes
    prefix: str


def make_key(random: Randomness) -> NewKey:
    """`pbl_`, 43 characters of base 62 (256 bits), and 6 of a checksum that tells a typing error from a stranger."""
    body = _base62(int.from_bytes(random(32), "big"), 43)
    text = f"pbl_{body}{_base62(zlib.crc32(body.encode()), 6)}"
    return NewKey(text, hash_of(text), text[:PREFIX_LENGTH])


def is_key(text: str) -> bool:
    """Whether a text has the form of a key, checksum included."""
    match = _KEY.fullmatch(text)
    return match is not None and _base62(zlib.crc32(match[1].encode()), 6) == match[2]


def hash_of(secret: str) -> bytes:
    """What is kept of a key or a token. Both are random, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).digest()


def make_token(random: Randomness) -> str:
    """An edit token for one submission: `edt_` and 43 characters of base 62."""
    return f"edt_{_base62(int.from_bytes(random(32), 'big'), 43)}"


def make_id(kind: str, random: Randomness) -> str:
    """An id that cannot be guessed: the kind, an underscore and 26 characters of base 32 (130 bits)."""
    number = int.from_bytes(random(17), "big")
    return f"{kind}_" + "".join(_BASE32[(number >> 5 * place) & 31] for place in range(26))


def is_id(text: str) -> bool:
    """Whether a text has the form of an id; nothing else needs to be looked up."""
    return re.fullmatch(r"(?:run|sub)_[a-z2-7]{26}", text) is not None


def bearer(header: str | None) -> str | None:
    """The key in an `Authorization` header; None without a header, empty when there is one that holds no bearer key."""
    if header is None:
        return None
    scheme, _, key = header.strip().partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _base62(number: int, length: int) -> str:
    return "".join(_BASE62[number // 62**place % 62] for place in range(length))
