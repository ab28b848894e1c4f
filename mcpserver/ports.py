"""What the MCP server needs of the world, as ports: somebody who reads the library, somebody who takes what is sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from library.interface.errors import BROKEN, KINDS, ErrorKind, FieldProblem, ProblemDetails

Kind = Literal["playbooks", "agents", "tasks", "lessons"]
"""The lists of the library, by the names that their addresses have."""

Record = Mapping[str, Any]
"""One record by its wire names, as the API answers it."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Who calls, as the transport saw it: the address of the connection, and the headers that say more.

    `headers` holds `authorization` and `x-forwarded-for` only, as they came. Nothing of it is believed here: the write
    API judges keys, and how many proxies it trusts.
    """

    address: tuple[str, int] | None = None
    headers: tuple[tuple[bytes, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What the write API answered: its status, its JSON, and after how many seconds to try again, where it says so."""

    status: int
    body: Record
    retry_after: int | None = None


def seconds_in(header: str | None) -> int | None:
    """The seconds of a `Retry-After`; None where there is none, or something else in it."""
    return int(header[:9]) if header and header.isascii() and header.isdigit() else None


class LibraryReader(Protocol):
    """Reads the library. A slug is checked before it comes here; each method raises `Refusal` when it cannot ask."""

    async def playbook(self, slug: str) -> Record | None:
        """The whole playbook of a slug; None if there is none."""

    async def listed(self, kind: Kind) -> Record:
        """A whole list, as its address answers it; `items` are ordered by slug."""

    async def former(self) -> Mapping[str, str]:
        """Former slugs of playbooks, each with the slug that it leads to."""

    async def search(self, question: Mapping[str, str]) -> Record:
        """The answer to a question, by the parameters of `GET /search`."""

    async def markdown(self, slug: str) -> str | None:
        """The markdown twin of a playbook's page."""

    async def skill(self, slug: str) -> bytes | None:
        """The bytes of a playbook's SKILL.md."""

    async def script(self, slug: str, name: str) -> bytes | None:
        """The bytes of a script that travels with a playbook's skill."""


class Writer(Protocol):
    """Hands what is sent to the write API in the caller's name, so that limits and keys are the caller's."""

    async def send(
        self,
        method: Literal["GET", "POST"],
        path: str,
        caller: Peer,
        body: bytes = b"",
        key: str | None = None,
    ) -> Reply:
        """One request, `path` below `/api/v1`; `key` is the idempotency key. Raises `Refusal` when nobody answers."""


class Refusal(Exception):
    """Something that cannot be answered: its kind, a sentence, each field's problem, and when to try again."""

    def __init__(
        self, kind: ErrorKind, detail: str, errors: Sequence[FieldProblem] = (), retry_after: int | None = None
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.errors = tuple(errors)
        self.retry_after = retry_after

    def problem(self, site_url: str) -> Record:
        """The problem details, as the API would answer them, with what it says in `Retry-After`."""
        details = ProblemDetails(
            type=f"{site_url}/docs/errors/#{self.kind.slug}",
            title=self.kind.title,
            status=self.kind.status,
            detail=self.detail,
            errors=self.errors or None,
        )
        return with_retry(details.model_dump(mode="json"), self.retry_after)


def with_retry(problem: Record, seconds: int | None) -> Record:
    """A problem with `retry_after` in seconds: a result of a tool has no headers."""
    return problem if seconds is None else {**problem, "retry_after": seconds}


def advice_for(problem: Record) -> str:
    """What to do about a problem, by the kind that its type names."""
    slug = str(problem.get("type", "")).rpartition("#")[2]
    return next((kind for kind in KINDS if kind.slug == slug), BROKEN).advice
