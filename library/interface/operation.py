"""What an operation of the interface is: its parameters, what it takes, and from these what it answers and refuses."""

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

_OF_LIVE = (TOO_SLOW, BROKEN)
_OF_WRITES = (UNAVAILABLE, RATE_LIMITED)
_OF_BODIES = (BAD_JSON, LENGTH_REQUIRED, TOO_LARGE, UNSUPPORTED_TYPE, CODED_BODY, INVALID)


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


@dataclass(frozen=True, slots=True)
class Example:
    """A body that the service takes as it stands."""

    name: str
    about: str
    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """One method at one path below the base address.

    `name` is its id, by which a build finds the view of what is static; `live` says that a running server answers it,
    not a file. `takes` is the model of its body and `answers` that of its success, whose status is `status`. `errors`
    are those of its own, beside what every such operation refuses. `leads` names the operations that take the `id` of
    what it made, whose place is in `Location`; `shows` is an example of its answer.
    """

    method: Method
    path: str
    name: str
    tag: str
    summary: str
    about: str
    answers: type[Answer] | None
    parameters: tuple[Parameter, ...] = ()
    status: int = 200
    takes: type[Intake] | None = None
    proof: Proof = "none"
    errors: tuple[ErrorKind, ...] = ()
    live: bool = True
    examples: tuple[Example, ...] = ()
    leads: tuple[str, ...] = ()
    shows: Mapping[str, Any] = field(default_factory=dict)

    @property
    def writes(self) -> bool:
        """Whether it changes something, and so is limited."""
        return self.method != "GET"

    @property
    def headers(self) -> tuple[str, ...]:
        """The headers of its success."""
        if not self.live:
            return ("ETag", "Cache-Control", "Link")
        first = (*(("ETag",) if IF_NONE_MATCH in self.parameters else ()), *(("Location",) if self.leads else ()))
        limits = ("RateLimit-Policy", "RateLimit") if self.writes else ()
        return (*first, *limits, "X-Request-Id", "Cache-Control")

    @property
    def also(self) -> tuple[int, ...]:
        """The other statuses that are no errors: not modified, and of a file's address that it is another now."""
        moved = not self.live and len(self.parameters) > 1
        return (*((304,) if IF_NONE_MATCH in self.parameters else ()), *((308,) if moved else ()))

    @property
    def refuses(self) -> tuple[ErrorKind, ...]:
        """Every error that it may answer with."""
        return (
            *self.errors,
            *(_OF_LIVE if self.live else (NOT_FOUND,)),
            *(_OF_WRITES if self.writes else ()),
            *(_OF_BODIES if self.takes else ()),
            *((OTHER_BODY,) if IDEMPOTENCY_KEY in self.parameters else ()),
            *((UNAUTHORIZED,) if self.proof != "none" else ()),
        )
