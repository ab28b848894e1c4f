"""The library over HTTP: reads another server's static JSON, and hands on what is written in the caller's name."""

from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache, partial
from typing import Any, Literal

import httpx2
import orjson

from library.interface.answers import (
    AgentList,
    AliasList,
    Answer,
    Index,
    LessonList,
    PlaybookAnswer,
    PlaybookList,
    RunReceipt,
    SubmissionReceipt,
    SubmissionStatus,
    TaskList,
)
from library.interface.errors import BROKEN, SEARCH_AWAY, TOO_LARGE, UNAVAILABLE, ProblemDetails
from library.search.answers import SearchAnswer

from .ports import Kind, Peer, Record, Refusal, Reply, seconds_in

SECONDS = 20.0
MAX_ANSWER = 64 * 1024 * 1024
"""No answer of the library is longer; the list of ten thousand playbooks has about 10 MB."""

CACHED = 512
_LISTS: dict[Kind, type[Answer]] = {
    "playbooks": PlaybookList,
    "agents": AgentList,
    "tasks": TaskList,
    "lessons": LessonList,
}
_RECEIPTS: dict[str, type[Answer]] = {"/runs": RunReceipt, "/submissions": SubmissionReceipt}
_AILING = frozenset({429, 500, 502, 503, 504})
"""Statuses that any server has which cannot answer now, be it a library or not."""

_AWAY = "The library at {} cannot be reached now; send it again later, with the same idempotency key if it had one."


class Remote:
    """Asks one site. Names of files are asked for, so that any static host will do."""

    def __init__(self, base_url: str, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self.site_url = base_url.rstrip("/")
        self._client = httpx2.AsyncClient(transport=transport, timeout=SECONDS, follow_redirects=False)
        self._kept: dict[str, tuple[str, bytes]] = {}

    async def close(self) -> None:
        """End the connections."""
        await self._client.aclose()

    async def get(self, path: str) -> bytes | None:
        """The bytes at a path; None where nothing is. What did not change is not sent again."""
        known = self._kept.pop(path, None)
        headers = {b"If-None-Match": known[0].encode()} if known else {}
        status, body, told = await self.request("GET", path, headers)
        again = seconds_in(told.get("retry-after"))
        if status == 304 and known:
            self._kept[path] = known
            return known[1]
        if status in (404, 410, 301, 302, 307, 308):
            return None
        if status != 200:
            if status in _AILING:
                raise Refusal(UNAVAILABLE, f"The library at {self.site_url} answered {status}.", (), again)
            raise Refusal(UNAVAILABLE, f"There is no library at {self.site_url}: it answered {status}.")
        if etag := told.get("etag"):
            self._kept[path] = (etag, body)
            if len(self._kept) > CACHED:
                del self._kept[next(iter(self._kept))]
        return body

    async def instead(self, refusal: Refusal) -> Refusal:
        """The refusal, where there is a library; else that there is none."""
        body = await self.get("/api/v1/index.json")
        try:
            Index.model_validate_json(body or b"")
        except ValueError:
            return Refusal(UNAVAILABLE, f"There is no library at {self.site_url}.")
        return refusal

    async def request(
        self, method: str, path: str, headers: Mapping[bytes, bytes], body: bytes = b""
    ) -> tuple[int, bytes, Mapping[str, str]]:
        """One request: status, whole body, headers. Raises `Refusal`."""
        try:
            async with self._client.stream(method, self.site_url + path, headers=headers, content=body or None) as told:
                parts, length = [], 0
                async for part in told.aiter_bytes():
                    parts.append(part)
                    length += len(part)
                    if length > MAX_ANSWER:
                        raise Refusal(TOO_LARGE, f"The answer of {self.site_url} is too long.")
                return told.status_code, b"".join(parts), told.headers
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise Refusal(UNAVAILABLE, _AWAY.format(self.site_url)) from error


class RemoteReader:
    """Reads the library through its addresses."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote
        self._checked = lru_cache(CACHED)(
            partial(read_answer, site_url=remote.site_url)
        )  # the same bytes are read once

    async def playbook(self, slug: str) -> Record | None:
        """The whole playbook of a slug; None if there is none."""
        found = await self.remote.get(f"/api/v1/playbooks/{slug}.json")
        return None if found is None else self._checked(PlaybookAnswer, found)

    async def listed(self, kind: Kind) -> Record:
        """A whole list, as its address answers it."""
        return await self._list(kind, _LISTS[kind])

    async def former(self) -> Mapping[str, str]:
        """Former slugs of playbooks, each with the slug that it leads to."""
        names: Mapping[str, str] = (await self._list("aliases", AliasList))["items"]
        return names

    async def _list(self, name: str, model: type[Answer]) -> Record:
        found = await self.remote.get(f"/api/v1/{name}.json")
        if found is None:
            raise Refusal(UNAVAILABLE, f"There is no library at {self.remote.site_url}.")
        return self._checked(model, found)

    async def search(self, question: Mapping[str, str]) -> Record:
        """The answer to a question; a static host has none."""
        query = str(httpx2.QueryParams(dict(question)))
        status, body, told = await self.remote.request("GET", f"/api/v1/search?{query}", {})
        if status == 200:
            return self._checked(SearchAnswer, body)
        detail = f"{self.remote.site_url} has no live search (it answered {status}); read the lists instead."
        refusal = Refusal(SEARCH_AWAY, detail, (), seconds_in(told.get("retry-after")))
        raise refusal if status in _AILING else await self.remote.instead(refusal)

    async def markdown(self, slug: str) -> str | None:
        """The markdown twin of a playbook's page."""
        found = await self.remote.get(f"/playbooks/{slug}.md")
        return None if found is None else found.decode("utf-8", "replace")

    async def skill(self, slug: str) -> bytes | None:
        """The bytes of a playbook's SKILL.md."""
        return await self.remote.get(f"/skills/{slug}/SKILL.md")

    async def script(self, slug: str, name: str) -> bytes | None:
        """The bytes of a script that travels with a playbook's skill."""
        return await self.remote.get(f"/skills/{slug}/scripts/{name}")


class RemoteWriter:
    """Sends to the write API of the site.

    `key` is the API key of whoever runs this process, for callers that this process alone serves (stdio). The address
    of a caller over HTTP is handed on in `X-Forwarded-For`, as a proxy does.
    """

    def __init__(self, remote: Remote) -> None:
        self.remote = remote

    async def send(
        self, method: Literal["GET", "POST"], path: str, caller: Peer, body: bytes = b"", key: str | None = None
    ) -> Reply:
        """One request in the caller's name. Raises `Refusal` when nobody answers."""
        headers = _headers_of(caller)
        if method == "POST":
            headers[b"Content-Type"] = b"application/json"
        if key is not None:
            headers[b"Idempotency-Key"] = key.encode()
        status, answer, told = await self.remote.request(method, f"/api/v1{path}", headers, body)
        again = seconds_in(told.get("retry-after"))
        if status in _AILING and b'"type"' not in answer:
            detail = f"The library at {self.remote.site_url} answered {status}; send it again later."
            raise Refusal(UNAVAILABLE, detail, (), again)
        expected = ProblemDetails if status >= 300 else _RECEIPTS.get(path, SubmissionStatus)
        try:
            return Reply(status, read_answer(expected, answer, self.remote.site_url), again)
        except Refusal as refusal:
            raise await self.remote.instead(refusal) from refusal


class InProcessWriter:
    """Hands what is sent to the live application in this process, as if the caller had sent it there itself.

    The address of the caller's connection, its key and its `X-Forwarded-For` go along as they came, so that the
    application counts and judges as it does for every other request.
    """

    def __init__(self, live: Callable[..., Awaitable[None]]) -> None:
        self.live = live

    async def send(
        self, method: Literal["GET", "POST"], path: str, caller: Peer, body: bytes = b"", key: str | None = None
    ) -> Reply:
        """One request, answered."""
        headers = [*caller.headers, (b"content-type", b"application/json")]
        if key is not None:
            headers.append((b"idempotency-key", key.encode("latin-1")))
        transport = httpx2.ASGITransport(self.live, client=caller.address or ("", 0))
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            reply = await client.request(method, path, headers=headers, content=body)
        try:
            return Reply(reply.status_code, orjson.loads(reply.content), seconds_in(reply.headers.get("retry-after")))
        except orjson.JSONDecodeError as error:
            raise Refusal(BROKEN, "The answer cannot be read.") from error


def _headers_of(caller: Peer) -> dict[bytes, bytes]:
    """The caller's headers, as bytes: what a caller wrote need not be ASCII."""
    told: dict[bytes, list[bytes]] = {}
    for name, value in caller.headers:
        told.setdefault(name.lower(), []).append(value)
    headers = {b"Authorization": told[b"authorization"][0]} if b"authorization" in told else {}
    if caller.address:
        seen = [*told.get(b"x-forwarded-for", []), caller.address[0].encode()]
        headers[b"X-Forwarded-For"] = b", ".join(seen)
    return headers


def read_answer(model: type[Answer], body: bytes, site_url: str) -> Record:
    """The JSON object of an answer. Raises `Refusal` for what is not what the contract says."""
    try:
        model.model_validate_json(body)
        found: dict[str, Any] = orjson.loads(body)
    except ValueError as error:
        detail = f"There is no library at {site_url} that can be read: its answer is not what a library answers."
        raise Refusal(BROKEN, detail) from error
    return found
