"""Bodies of requests, the same for who takes them and who sends them: strict JSON, and the private data in it."""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from ..problems import LibraryError, Pointer
from ..rules import privacy

Json = Any  # whatever JSON holds
MAX_BODY = 64 * 1024
MAX_DEPTH = 32
MAX_VALUES = 1_000
MAX_DIGITS = 300
LONGEST_KEY = 64
HIDDEN_KEY = "(private data)"
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""A string, or the rest of a text in which one is not closed: so that no quote is ever looked at twice."""
_BRACKET = re.compile(r"[\[\]{}]")


class NotJson(LibraryError):
    """The bytes are no JSON that every parser understands alike; the text says why, for people."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def parse(raw: bytes) -> Json:
    """Strict JSON: UTF-8, no duplicate keys, no NaN, no number that cannot be held, no endless nesting.

    Raises `NotJson`.
    """
    try:
        text = raw.decode("utf-8")
        _refuse_shape(text)
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(f"The body is not UTF-8: byte {error.start} cannot be read.") from error
    except UnicodeEncodeError as error:
        raise NotJson("The body holds half of a surrogate pair, which is no character.") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise NotJson(f"The body is not JSON: {error.msg}, {place}.", error.lineno, error.colno) from error
    except ValueError as error:
        raise NotJson("A number is too large to be held.") from error
    return value


def _refuse_shape(text: str) -> None:
    """Count brackets and commas outside of strings: before a parser recurses, and before each value has a problem."""
    bare = _STRING.sub("", text)
    if bare.count(",") >= MAX_VALUES:
        raise NotJson(f"The body holds more than {MAX_VALUES:,} values.")
    depth = 0
    for bracket in _BRACKET.findall(bare):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            raise NotJson(f"The body is nested more than {MAX_DEPTH} levels deep.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise NotJson(f"The key {json.dumps(repeatable(name))} stands twice in one object.")
        values[name] = value
    return values


def _constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is not a JSON number.")


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise NotJson("A number is too large to be held.")
    return int(text)


def pointer(parts: Pointer) -> str:
    """A JSON pointer, after RFC 6901; a key in it that holds private data is not repeated."""
    return "".join("/" + repeatable(str(part)).replace("~", "~0").replace("/", "~1") for part in parts)


def repeatable(name: str) -> str:
    """A key that the caller chose, as an answer may repeat it."""
    return HIDDEN_KEY if any(finding.refused for finding in privacy.find(name)) else name[:LONGEST_KEY]


def private_matter(value: object, parts: Pointer = ()) -> Iterator[tuple[Pointer, str]]:
    """Every text that holds private data: its place and the kind in words, never the value."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from private_matter(name, (*parts, name))
            yield from private_matter(inner, (*parts, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from private_matter(inner, (*parts, index))
    elif isinstance(value, str):
        for kind in dict.fromkeys(finding.words for finding in privacy.find(value) if finding.refused):
            yield parts, kind
