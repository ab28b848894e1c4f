"""Every operation of the interface: its parameters, what it takes, and from these what it answers and refuses.

The table is `operations.yaml`. The OpenAPI description, its page, the routes of the build and of the deployments and
their tests are made from it.
"""

from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any, Literal

import msgspec
import msgspec.yaml

from ..records import vocabulary
from . import answers, errors, finding, intake
from .answers import Answer
from .errors import ErrorKind
from .intake import Intake

Method = Literal["GET", "POST", "PUT", "DELETE"]
Place = Literal["path", "query", "header"]
Proof = Literal["none", "key or none", "key", "key or token"]
"""Who may call: everybody, with a key or without, only with a key, with the sender's key or an edit token."""

_OF_BODIES = (
    *(errors.BAD_JSON, errors.LENGTH_REQUIRED, errors.TOO_LARGE, errors.UNSUPPORTED_TYPE, errors.CODED_BODY),
    errors.INVALID,
)
FILTERS = ("agent", "category", "task", "trust", "limit", "q")
"""What filters somewhere in the interface: on a list that is a file it is refused, since nothing would read it."""


class Parameter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that is sent beside a body. `may_be_empty`: an empty value counts as none."""

    name: str
    place: Place
    about: str
    schema: Mapping[str, Any]
    required: bool = False
    may_be_empty: bool = False
    sample: str | int | None = None


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A body that the service takes as it stands."""

    name: str
    about: str
    value: Mapping[str, Any]


class Operation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One method at one path below the base address.

    `name` is its id, by which a build finds the view of what is static; `live` says that a running server answers it,
    not a file. `takes` is the model of its body and `answers` that of its success, whose status is `status`. `errors`
    are those of its own, beside what every such operation refuses. `leads` names the operations that take the `id` of
    what it made, whose place is in `Location`; `shows` is an example of its answer. `reads` says of a
    `POST` that it changes nothing. `link` is what the index of the interface calls its address.
    """

    method: Method
    path: str
    name: str
    tag: str
    summary: str
    about: str
    answers: type[Answer] | None = None
    parameters: tuple[Parameter, ...] = ()
    status: int = 200
    takes: type[Intake] | None = None
    proof: Proof = "none"
    errors: tuple[str, ...] = ()
    live: bool = True
    examples: tuple[Example, ...] = ()
    leads: tuple[str, ...] = ()
    shows: Mapping[str, Any] = {}
    reads: bool = False
    link: str = ""

    @property
    def writes(self) -> bool:
        """Whether it changes something, and so is limited."""
        return self.method != "GET" and not self.reads

    def accepts(self, header: str) -> bool:
        """Whether one of its parameters has this name."""
        return any(parameter.name == header for parameter in self.parameters)

    @property
    def is_list(self) -> bool:
        """Whether it is a list that is a file."""
        return not self.live and self.answers is not None and issubclass(self.answers, answers.ListAnswer)

    @property
    def headers(self) -> tuple[str, ...]:
        """The headers of its success."""
        if not self.live:
            return ("ETag", "Cache-Control", "Link")
        first = (*(("ETag",) if self.accepts("If-None-Match") else ()), *(("Location",) if self.leads else ()))
        limits = ("RateLimit-Policy", "RateLimit") if self.writes else ()
        return (*first, *limits, "X-Request-Id", "Cache-Control")

    @property
    def also(self) -> tuple[int, ...]:
        """The other statuses that are no errors: not modified, and of a file's address that it is another now."""
        moved = not self.live and len(self.parameters) > 1
        return (*((304,) if self.accepts("If-None-Match") else ()), *((308,) if moved else ()))

    @property
    def refuses(self) -> tuple[ErrorKind, ...]:
        """Every error that it may answer with."""
        return (
            *(getattr(errors, name) for name in self.errors),
            *((errors.TOO_SLOW, errors.BROKEN, errors.RATE_LIMITED) if self.live else (errors.NOT_FOUND,)),
            *((errors.NO_FILTER,) if self.is_list else ()),
            *((errors.UNAVAILABLE,) if self.writes else ()),
            *(_OF_BODIES if self.takes else ()),
            *((errors.OTHER_BODY,) if self.accepts("Idempotency-Key") else ()),
            *((errors.UNAUTHORIZED,) if self.proof != "none" else ()),
        )


class _Table(msgspec.Struct):
    sentences: dict[str, str]
    tags: dict[str, str]
    operations: tuple[Operation, ...]


def _model(_wanted: type, name: str) -> type:
    found: type = next(vars(room)[name] for room in (answers, finding, intake) if name in vars(room))
    return found


def _read(path: Path) -> _Table:
    raw = msgspec.yaml.decode(path.read_bytes())
    sentences = raw["sentences"]
    for operation in raw["operations"]:
        operation["about"] = Template(operation["about"]).substitute(sentences)
        for parameter in operation.get("parameters", ()):
            if isinstance(words := parameter["schema"].get("enum"), str):
                parameter["schema"] = {**parameter["schema"], "enum": list(getattr(vocabulary, words))}
    return msgspec.convert(raw, _Table, dec_hook=_model)


_TABLE = _read(Path(__file__).with_suffix(".yaml"))
OPERATIONS = _TABLE.operations
LICENCE = _TABLE.sentences["licence"]
FIELDS: Mapping[str, Mapping[str, Any]] = msgspec.yaml.decode(Path(__file__).with_name("fields.yaml").read_bytes())
"""What each field of an answer says, `about` by its name, and the `formats` of texts with the names that have them."""
TAGS: Mapping[str, str] = _TABLE.tags  # the groups of operations, in their order, each with what it is about
