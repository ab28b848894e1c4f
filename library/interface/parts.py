"""What an operation of the interface is described by: its parameters, what it takes, what it answers and refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .answers import Answer
from .errors import (
    BAD_JSON,
    BROKEN,
    CODED_BODY,
    INVALID,
    LENGTH_REQUIRED,
    NOT_FOUND,
    OTHER_BODY,
    RATE_LIMITED,
    TOO_LARGE,
    TOO_SLOW,
    UNAUTHORIZED,
    UNAVAILABLE,
    UNSUPPORTED_TYPE,
    ErrorKind,
)
from .intake import Intake

Method = Literal["GET", "POST", "PUT", "DELETE"]
Place = Literal["path", "query", "header"]
Proof = Literal["none", "key or none", "key", "key or token"]
"""Who may call: everybody, with a key or without, only with a key, with the sender's key or an edit token."""

SAMPLE_PLAYBOOK = "{playbook}"
SAMPLE_AGENT = "{agent}"
SAMPLE_LESSON = "{lesson}"
"""In an example these stand for a record that the library has; whoever shows the example puts its slug there."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something that is sent beside a body. `may_be_empty`: an empty value counts as none."""

    name: str
    place: Place
    about: str
    schema: Mapping[str, Any]
    required: bool = False
    may_be_empty: bool = False
    sample: str | int | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A body that the service takes as it stands."""

    name: str
    about: str
    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """One method at one path below the base address.

    `name` is its id. `takes` is the model of its body and `answers` that of its success, whose status is `status`.
    `headers` are those of the success. `live` says that a running server answers it, not a file. `leads` names
    the operations that take the `id` of the answer.
    """

    method: Method
    path: str
    name: str
    tag: str
    summary: str
    about: str
    answers: type[Answer] | None
    status: int = 200
    takes: type[Intake] | None = None
    parameters: tuple[Parameter, ...] = ()
    proof: Proof = "none"
    headers: tuple[str, ...] = ()
    also: tuple[int, ...] = ()
    refuses: tuple[ErrorKind, ...] = ()
    live: bool = False
    examples: tuple[Example, ...] = ()
    leads: tuple[str, ...] = ()
    shows: Mapping[str, Any] = field(default_factory=dict)

    @property
    def writes(self) -> bool:
        """Whether it changes something, and so is limited."""
        return self.method != "GET"


SLUG_SCHEMA = {"type": "string", "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$", "minLength": 1, "maxLength": 64}
IF_NONE_MATCH = Parameter(
    "If-None-Match",
    "header",
    "The `ETag` of the answer that you have; 304 when it is still the same.",
    {"type": "string"},
)
IDEMPOTENCY_KEY = Parameter(
    "Idempotency-Key",
    "header",
    "A random key, such as a UUID, made for this body: the same caller, key and body get the same answer again, and"
    " one record is stored. Keep it to yourself: an edit token is made from it.",
    {"type": "string", "pattern": "^[!-~]{1,255}$", "minLength": 1, "maxLength": 255},
)

FILE_HEADERS = ("ETag", "Cache-Control", "Link")
LIVE_HEADERS = ("X-Request-Id", "Cache-Control")
WRITE_HEADERS = ("RateLimit-Policy", "RateLimit", *LIVE_HEADERS)

OF_FILES = (NOT_FOUND,)
OF_LIVE = (TOO_SLOW, BROKEN)
OF_STORE = (*OF_LIVE, UNAVAILABLE)
OF_WRITES = (*OF_STORE, RATE_LIMITED)
OF_BODIES = (BAD_JSON, LENGTH_REQUIRED, TOO_LARGE, UNSUPPORTED_TYPE, CODED_BODY, INVALID, *OF_WRITES)
OF_ONCE = (OTHER_BODY, *OF_BODIES)
OF_KEYS = (UNAUTHORIZED,)
