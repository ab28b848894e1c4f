"""The library that tools ask, built here or at another address: what is read of it, and what is sent to it."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from io import BytesIO
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal
from zipfile import BadZipFile, ZipFile

import httpx2
import orjson
from anyio import CapacityLimiter, to_thread

from library.interface import answers, errors
from library.interface.answers import Answer, SearchAnswer
from library.interface.errors import BROKEN, INVALID, SEARCH_AWAY, TOO_LARGE, UNAVAILABLE, ErrorKind
from library.interface.intake import LongSearch
from library.interface.versions import find_version
from library.records.fields import SLUG
from library.records.vocabulary import Status

Record = Mapping[str, Any]  # one record by its wire names, as the API answers it
Kind = Literal["playbooks", "agents", "tasks", "lessons", "aliases"]
"""The lists of the library, by the names that their addresses have."""

SECONDS = 20.0
MAX_ANSWER = 64 * 1024 * 1024  # no answer of the library is longer; the list of ten thousand playbooks has about 10 MB
CACHED = 512  # so many answers are kept, the last used ones: a long list takes 0.1 s to parse
_JSON = (b"content-type", b"application/json")
_LISTS: Mapping[Kind, type[Answer]] = {
    "playbooks": answers.PlaybookList,
    "agents": answers.AgentList,
    "tasks": answers.TaskList,
    "lessons": answers.LessonList,
    "aliases": answers.AliasList,
}
_RECEIPTS: Mapping[str, type[Answer]] = {"/runs": answers.RunReceipt, "/submissions": answers.SubmissionReceipt}

Headers = tuple[tuple[bytes, bytes], ...]
slug_of: Callable[[Record], str] = itemgetter("slug")  # what lists are ordered by


@dataclass(frozen=True, slots=True)
class Peer:
    """Who calls, as the transport saw it: the address of the connection, and the headers that say more.

    `headers` holds `authorization` and `x-forwarded-for` only, as they came. Nothing of it is believed here: the write
    API judges keys, and how many proxies it trusts.
    """

    address: tuple[str, int] | None = None
    headers: Headers = ()


class Refusal(Exception):
    """Something that cannot be answered; `problem` is told of it as the API would, `retry_after` among it in seconds.

    The address of its type begins below the site's, but where another server said it.
    """

    def __init__(
        self, kind: ErrorKind, detail: str, wrong: Sequence[errors.FieldProblem] = (), retry_after: int | None = None
    ) -> None:
        details = errors.ProblemDetails(
            type=f"docs/errors/#{kind.slug}",
            title=kind.title,
            status=kind.status,
            detail=detail,
            errors=tuple(wrong) or None,
        )
        super().__init__(detail)
        again = {} if retry_after is None else {"retry_after": retry_after}
        self.problem: Record = {**details.model_dump(mode="json"), **again}


class LibraryAccess(ABC):
    """Reads the library, and sends to it. Each method raises `Refusal` when it cannot ask, or is answered with one."""

    def __init__(self, site_url: str, place: str) -> None:
        self.site_url = site_url.rstrip("/")
        self.missing = f"There is no library {place}"
        self._checked = lru_cache(CACHED)(self._read)  # the same bytes are read once

    @abstractmethod
    async def file(self, path: str) -> bytes | None:
        """The bytes of a built file; None where there is none."""

    @abstractmethod
    async def search(self, question: LongSearch) -> Record:
        """The answer to a question, as `POST /search` gives it."""

    @abstractmethod
    async def send(self, method: str, path: str, caller: Peer, body: bytes = b"", key: str | None = None) -> Record:
        """What the write API answers in the caller's name, so that limits and keys are the caller's.

        `path` is below `/api/v1`, `key` the idempotency key.
        """

    async def playbook(self, slug: str) -> Record | None:
        """The playbook of a slug, or of the one that a former slug leads to; None for what is no slug at all."""
        if not is_slug(slug):
            return None
        found = await self._record(f"api/v1/playbooks/{slug}.json", answers.PlaybookAnswer)
        if found is None and (present := (await self.list_of("aliases"))["items"].get(slug)) is not None:
            found = await self._record(f"api/v1/playbooks/{present}.json", answers.PlaybookAnswer)
        return found

    async def list_of(self, kind: Kind) -> Record:
        """A whole list, as its address answers it; `items` are ordered by slug."""
        if (found := await self._record(f"api/v1/{kind}.json", _LISTS[kind])) is None:
            raise Refusal(UNAVAILABLE, f"{self.missing}.")
        return found

    async def agents(self) -> frozenset[str]:
        """The slugs of the agents that the library knows."""
        return frozenset(map(slug_of, (await self.list_of("agents"))["items"]))

    async def versions(self, slug: str) -> answers.VersionList | None:
        """Every version of a playbook."""
        found = await self._record(f"api/v1/playbooks/{slug}/versions.json", answers.VersionList)
        return answers.VersionList.model_validate(found) if found else None

    async def version(self, book: Record, version: str, since: str = "") -> answers.VersionAnswer | None:
        """A version of a playbook with its text, compared with `since`; None where it never had one of them."""
        known = await self.versions(slug_of(book))
        return find_version(known, answers.PlaybookAnswer.model_validate(book), version, since)

    async def markdown(self, slug: str) -> str | None:
        """The markdown twin of a playbook's page."""
        found = await self.file(f"playbooks/{slug}.md")
        return None if found is None else found.decode("utf-8", "replace")

    async def skill(self, slug: str) -> Mapping[str, bytes]:
        """The files of a playbook as a skill, by their paths, SKILL.md first; none where it is not offered."""
        raw = await self.file(f"s/{slug}/skill.zip") if is_slug(slug) else None
        if raw is None:
            return {}
        try:
            with ZipFile(BytesIO(raw)) as archive:
                return {name: archive.read(name) for name in archive.namelist()}
        except BadZipFile as error:
            raise Refusal(BROKEN, f"{self.missing}.") from error

    async def _record(self, path: str, model: type[Answer]) -> Record | None:
        found = await self.file(path)
        return None if found is None else self._checked(model, found)

    def _read(self, model: type[Answer], body: bytes) -> Record:
        """The JSON object of an answer. Raises `Refusal` for what is not what the contract says."""
        try:
            model.model_validate_json(body)
            found: dict[str, Any] = orjson.loads(body)
        except ValueError as error:
            raise Refusal(
                BROKEN, f"{self.missing} that can be read: its answer is not what a library answers."
            ) from error
        return found

    def _answered(self, path: str, status: int, body: bytes, retry_after: int | None) -> Record:
        """What the write API answered. Raises `Refusal` for its problem, and for what is no answer of it."""
        if status >= 300:
            try:
                said = self._read(errors.ProblemDetails, body)
            except Refusal as error:
                why = f"{self.missing} that can be read now: it answered {status}."
                raise Refusal(UNAVAILABLE, why, (), retry_after) from error
            refusal = Refusal(UNAVAILABLE, said["detail"], (), retry_after)
            refusal.problem = {**refusal.problem, **said}  # in its own words
            raise refusal
        standing = answers.RunStatus if path.startswith("/runs/") else answers.SubmissionStatus
        return self._read(_RECEIPTS.get(path, standing), body)


SEARCHERS = 2  # threads that search at a time: more would only keep writes waiting, for one of them computes at a time


class LocalLibrary(LibraryAccess):
    """The site that is built behind the link `out`; `search` answers by its index, `live` takes what is sent.

    To `live` it is sent as if the caller had done so: the address of the connection, the key and `X-Forwarded-For` go
    along as they came, so that the application counts and judges as it does for every other request.
    """

    def __init__(
        self,
        out: Path,
        search: Callable[[LongSearch], Record],
        live: Callable[..., Awaitable[None]],
        site_url: str,
    ) -> None:
        super().__init__(site_url, "built here now")
        self.out = out
        self.live = live
        self._search = search
        self._searchers = CapacityLimiter(SEARCHERS)

    async def file(self, path: str) -> bytes | None:
        """The bytes of a file; nothing outside is ever found."""
        try:
            return (self.out / path).read_bytes()
        except OSError:
            return None

    async def search(self, question: LongSearch) -> Record:
        """The answer to a question; in a thread, because it reads the index."""
        return await to_thread.run_sync(partial(self._search, question), limiter=self._searchers)

    async def send(self, method: str, path: str, caller: Peer, body: bytes = b"", key: str | None = None) -> Record:
        """One request, answered."""
        headers = [*caller.headers, _JSON, *_idempotent(key)]
        transport = httpx2.ASGITransport(self.live, client=caller.address or ("", 0))
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            reply = await client.request(method, path, headers=headers, content=body)
        return self._answered(path, reply.status_code, reply.content, seconds_in(reply.headers))


class RemoteLibrary(LibraryAccess):
    """The library at another address. Names of files are asked for, so that any static host will do.

    The address of a caller over HTTP is handed on in `X-Forwarded-For`, as a proxy does.
    """

    def __init__(self, base_url: str) -> None:
        super().__init__(base_url, f"at {base_url.rstrip('/')}")
        self.client = httpx2.AsyncClient(timeout=SECONDS)

    async def file(self, path: str) -> bytes | None:
        """The bytes at a path; None where nothing is."""
        status, body, told = await self._request("GET", f"/{path}")
        if status in (404, 410, 301, 302, 307, 308):
            return None
        if status != 200:
            why = f"{self.missing} that answers now: it answered {status}."
            raise Refusal(UNAVAILABLE, why, (), seconds_in(told))
        return body

    async def search(self, question: LongSearch) -> Record:
        """The answer to a question; a static host has none."""
        asked = question.model_dump_json(exclude_none=True).encode()
        status, body, told = await self._request("POST", "/api/v1/search", (_JSON,), asked)
        if status == 200:
            return self._checked(SearchAnswer, body)
        why = f"{self.missing}, or it has no live search: it answered {status}. Read the lists instead."
        raise Refusal(SEARCH_AWAY, why, (), seconds_in(told))

    async def send(self, method: str, path: str, caller: Peer, body: bytes = b"", key: str | None = None) -> Record:
        """One request in the caller's name."""
        headers = [header for header in caller.headers if header[0] == b"authorization"][:1]
        if caller.address:
            hops = [value for name, value in caller.headers if name == b"x-forwarded-for"]
            headers.append((b"x-forwarded-for", b", ".join([*hops, caller.address[0].encode()])))
        headers += [*_idempotent(key), *([_JSON] if method == "POST" else [])]
        status, answer, told = await self._request(method, f"/api/v1{path}", headers, body)
        return self._answered(path, status, answer, seconds_in(told))

    async def _request(
        self, method: str, path: str, headers: Sequence[tuple[bytes, bytes]] = (), body: bytes = b""
    ) -> tuple[int, bytes, httpx2.Headers]:
        """One request: status, whole body, headers. Raises `Refusal`."""
        try:
            async with self.client.stream(method, self.site_url + path, headers=headers, content=body or None) as told:
                answer = bytearray()
                async for part in told.aiter_bytes():
                    answer += part
                    if len(answer) > MAX_ANSWER:
                        raise Refusal(TOO_LARGE, f"The answer of {self.site_url} is too long.")
                return told.status_code, bytes(answer), told.headers
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            why = f"The library at {self.site_url} cannot be reached now; send it again later, with the same"
            raise Refusal(UNAVAILABLE, f"{why} idempotency key if it had one.") from error


@dataclass(frozen=True, slots=True)
class Asking:
    """What a tool works with."""

    library: LibraryAccess
    caller: Peer


async def offered(library: LibraryAccess) -> Sequence[Record]:
    """The playbooks that are offered, by slug: all but withdrawn ones."""
    return [item for item in (await library.list_of("playbooks"))["items"] if item["status"] != Status.WITHDRAWN]


def page(items: Sequence[Record], cursor: str | None, name: str, size: int = 50) -> tuple[Sequence[Record], str | None]:
    """The items after the cursor, at most `size`, and the cursor of the next page; None at the end.

    A cursor says after which slug of which list the page begins, whatever was built meanwhile. Raises `Refusal`.
    """
    start = 0
    if cursor is not None:
        of, gap, after = cursor.partition(".")
        if of != name or not gap:
            wrong = errors.FieldProblem(pointer="/cursor", code="cursor", detail="is none of this list; leave it out")
            raise Refusal(INVALID, "The cursor is none that this list gave.", [wrong])
        start = bisect_right(items, after, key=slug_of)
    found = items[start : start + size]
    more = bool(found) and start + size < len(items)
    return found, f"{name}.{slug_of(found[-1])}" if more else None


def is_slug(text: str) -> bool:
    """Whether a text has the form of a slug; nothing else is looked up."""
    return len(text) <= 64 and SLUG.fullmatch(text) is not None


def seconds_in(headers: Mapping[str, str]) -> int | None:
    """The seconds of a `Retry-After`; None where there is none, or something else in it."""
    text = headers.get("retry-after", "")
    return int(text[:9]) if text.isascii() and text.isdigit() else None


def _idempotent(key: str | None) -> Headers:
    return ((b"idempotency-key", key.encode()),) if key else ()
