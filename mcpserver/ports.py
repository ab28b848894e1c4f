"""What the MCP server needs of the world: a reader of the library, here over built files, and a writer."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, Protocol
from zipfile import BadZipFile, ZipFile

import orjson
from anyio import to_thread

from library.interface.answers import AgentList, AliasList, Answer, LessonList, PlaybookAnswer, PlaybookList, TaskList
from library.interface.errors import BROKEN, KINDS, UNAVAILABLE, ErrorKind, FieldProblem, ProblemDetails

Kind = Literal["playbooks", "agents", "tasks", "lessons", "aliases"]
"""The lists of the library, by the names that their addresses have."""
_LISTS: dict[Kind, type[Answer]] = {
    "playbooks": PlaybookList,
    "agents": AgentList,
    "tasks": TaskList,
    "lessons": LessonList,
    "aliases": AliasList,
}
CACHED = 512
"""So many answers are kept, the last used ones: a long list takes 0.1 s to parse."""

Method = Literal["GET", "POST", "DELETE"]
"""What is asked of the write API."""

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


class LibraryReader(ABC):
    """Reads the library. A slug is checked before it comes here; each method raises `Refusal` when it cannot ask."""

    def __init__(self, missing: str) -> None:
        self.missing = missing
        """What is said where there is no library."""

    @abstractmethod
    async def _bytes(self, path: str) -> bytes | None:
        """The bytes of a built file; None where there is none."""

    @abstractmethod
    async def _record(self, path: str, model: type[Answer]) -> Record | None:
        """The JSON of a built file, which is a `model`."""

    @abstractmethod
    async def search(self, question: Mapping[str, str]) -> Record:
        """The answer to a question, by the parameters of `GET /search`."""

    async def playbook(self, slug: str) -> Record | None:
        """The whole playbook of a slug; None if there is none."""
        return await self._record(f"api/v1/playbooks/{slug}.json", PlaybookAnswer)

    async def listed(self, kind: Kind) -> Record:
        """A whole list, as its address answers it; `items` are ordered by slug."""
        if (found := await self._record(f"api/v1/{kind}.json", _LISTS[kind])) is None:
            raise Refusal(UNAVAILABLE, self.missing)
        return found

    async def markdown(self, slug: str) -> str | None:
        """The markdown twin of a playbook's page."""
        found = await self._bytes(f"playbooks/{slug}.md")
        return None if found is None else found.decode("utf-8", "replace")

    async def skill(self, slug: str) -> Mapping[str, bytes]:
        """The files of a playbook as a skill, by their paths, SKILL.md first; none where it is not offered."""
        raw = await self._bytes(f"s/{slug}/skill.zip")
        if raw is None:
            return {}
        try:
            with ZipFile(BytesIO(raw)) as archive:
                return {name: archive.read(name) for name in archive.namelist()}
        except BadZipFile as error:
            raise Refusal(BROKEN, self.missing) from error


class FileReader(LibraryReader):
    """Reads a built site behind the link `out`; `search` answers a question by the index of the same build.

    Nothing is read before it is asked for, and nothing outside is ever found.
    """

    def __init__(self, out: Path, search: Callable[[Mapping[str, str]], Record]) -> None:
        super().__init__("The library is not built here now.")
        self.out = out
        self._search = search
        self._kept: dict[str, tuple[int, int, Record]] = {}

    async def _bytes(self, path: str) -> bytes | None:
        try:
            return (self.out / path).read_bytes()
        except OSError:
            return None

    async def _record(self, path: str, model: type[Answer]) -> Record | None:
        """A parsed file, parsed once for as long as it stays the same; it was built as a `model`."""
        del model
        try:
            stat = (self.out / path).stat()
            known = self._kept.pop(path, None)
            if known is None or known[:2] != (stat.st_mtime_ns, stat.st_ino):
                known = (stat.st_mtime_ns, stat.st_ino, orjson.loads((self.out / path).read_bytes()))
        except (OSError, ValueError):
            return None
        self._kept[path] = known  # the last used is the last
        if len(self._kept) > CACHED:
            del self._kept[next(iter(self._kept))]
        return known[2]

    async def search(self, question: Mapping[str, str]) -> Record:
        """The answer to a question; in a thread, because it reads the index."""
        return await to_thread.run_sync(partial(self._search, question))


class Writer(Protocol):
    """Hands what is sent to the write API in the caller's name, so that limits and keys are the caller's."""

    async def send(
        self,
        method: Method,
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
