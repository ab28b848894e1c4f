"""The library over HTTP: reads another server's static JSON, and hands on what is written in the caller's name."""

from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from typing import Any

import httpx2
import orjson

from library.interface.answers import Answer, Index, RunReceipt, RunStatus, SubmissionReceipt, SubmissionStatus
from library.interface.errors import BROKEN, SEARCH_AWAY, TOO_LARGE, UNAVAILABLE, ProblemDetails
from library.search.answers import SearchAnswer

from .ports import CACHED, LibraryReader, Method, Peer, Record, Refusal, Reply, seconds_in

SECONDS = 20.0
MAX_ANSWER = 64 * 1024 * 1024
"""No answer of the library is longer; the list of ten thousand playbooks has about 10 MB."""

_LONGEST_QUERY = 4_000
"""What is longer, servers on the way may refuse as an address."""
_JSON = {b"Content-Type": b"application/json"}
_RECEIPTS: dict[str, type[Answer]] = {"/runs": RunReceipt, "/submissions": SubmissionReceipt}
_AILING = frozenset({429, 500, 502, 503, 504})
"""Statuses that any server has which cannot answer now, be it a library or not."""


class Remote(LibraryReader):
    """Reads from one site, and sends to it. Names of files are asked for, so that any static host will do.

    The address of a caller over HTTP is handed on in `X-Forwarded-For`, as a proxy does.
    """

    def __init__(self, base_url: str) -> None:
        self.site_url = base_url.rstrip("/")
        super().__init__(f"There is no library at {self.site_url}.")
        self._client = httpx2.AsyncClient(timeout=SECONDS, follow_redirects=False)
        self._kept: dict[str, tuple[str, bytes]] = {}
        self._checked = lru_cache(CACHED)(self._read)  # the same bytes are read once

    async def close(self) -> None:
        """End the connections."""
        await self._client.aclose()

    async def _bytes(self, path: str) -> bytes | None:
        """The bytes at a path; None where nothing is. What did not change is not sent again."""
        known = self._kept.pop(path, None)
        headers = {b"If-None-Match": known[0].encode()} if known else {}
        status, body, told = await self._request("GET", f"/{path}", headers)
        if status == 304 and known:
            self._kept[path] = known
            return known[1]
        if status in (404, 410, 301, 302, 307, 308):
            return None
        if status in _AILING:
            again = seconds_in(told.get("retry-after"))
            raise Refusal(UNAVAILABLE, f"The library at {self.site_url} answered {status}.", (), again)
        if status != 200:
            raise Refusal(UNAVAILABLE, f"There is no library at {self.site_url}: it answered {status}.")
        if etag := told.get("etag"):
            self._kept[path] = (etag, body)
            if len(self._kept) > CACHED:
                del self._kept[next(iter(self._kept))]
        return body

    async def _record(self, path: str, model: type[Answer]) -> Record | None:
        found = await self._bytes(path)
        return None if found is None else self._checked(model, found)

    async def search(self, question: Mapping[str, str]) -> Record:
        """The answer to a question; a static host has none."""
        query = str(httpx2.QueryParams(dict(question)))
        if len(query) <= _LONGEST_QUERY:
            status, body, told = await self._request("GET", f"/api/v1/search?{query}", {})
        else:
            asked = orjson.dumps({**question, "proven": question.get("proven") == "true"})
            status, body, told = await self._request("POST", "/api/v1/search", _JSON, asked)
        if status == 200:
            return self._checked(SearchAnswer, body)
        detail = f"{self.site_url} has no live search (it answered {status}); read the lists instead."
        refusal = Refusal(SEARCH_AWAY, detail, (), seconds_in(told.get("retry-after")))
        raise refusal if status in _AILING else await self._instead(refusal)

    async def send(
        self,
        method: Method,
        path: str,
        caller: Peer,
        body: bytes = b"",
        key: str | None = None,
    ) -> Reply:
        """One request in the caller's name. Raises `Refusal` when nobody answers."""
        headers = _headers_of(caller)
        if method == "POST":
            headers |= _JSON
        if key is not None:
            headers[b"Idempotency-Key"] = key.encode()
        status, answer, told = await self._request(method, f"/api/v1{path}", headers, body)
        again = seconds_in(told.get("retry-after"))
        if status in _AILING and b'"type"' not in answer:
            detail = f"The library at {self.site_url} answered {status}; send it again later."
            raise Refusal(UNAVAILABLE, detail, (), again)
        standing = RunStatus if path.startswith("/runs/") else SubmissionStatus
        expected = ProblemDetails if status >= 300 else _RECEIPTS.get(path, standing)
        try:
            return Reply(status, self._read(expected, answer), again)
        except Refusal as refusal:
            raise await self._instead(refusal) from refusal

    async def _request(
        self, method: str, path: str, headers: Mapping[bytes, bytes], body: bytes = b""
    ) -> tuple[int, bytes, Mapping[str, str]]:
        """One request: status, whole body, headers. Raises `Refusal`."""
        try:
            async with self._client.stream(method, self.site_url + path, headers=headers, content=body or None) as told:
                answer = bytearray()
                async for part in told.aiter_bytes():
                    answer += part
                    if len(answer) > MAX_ANSWER:
                        raise Refusal(TOO_LARGE, f"The answer of {self.site_url} is too long.")
                return told.status_code, bytes(answer), told.headers
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            why = f"The library at {self.site_url} cannot be reached now; send it again later, with the same"
            raise Refusal(UNAVAILABLE, f"{why} idempotency key if it had one.") from error

    async def _instead(self, refusal: Refusal) -> Refusal:
        """The refusal, where there is a library; else that there is none."""
        try:
            Index.model_validate_json(await self._bytes("api/v1/index.json") or b"")
        except ValueError:
            return Refusal(UNAVAILABLE, self.missing)
        return refusal

    def _read(self, model: type[Answer], body: bytes) -> Record:
        """The JSON object of an answer. Raises `Refusal` for what is not what the contract says."""
        try:
            model.model_validate_json(body)
            found: dict[str, Any] = orjson.loads(body)
        except ValueError as error:
            what = "that can be read: its answer is not what a library answers"
            raise Refusal(BROKEN, f"There is no library at {self.site_url} {what}.") from error
        return found


class InProcessWriter:
    """Hands what is sent to the live application in this process, as if the caller had sent it there itself.

    The address of the caller's connection, its key and its `X-Forwarded-For` go along as they came, so that the
    application counts and judges as it does for every other request.
    """

    def __init__(self, live: Callable[..., Awaitable[None]]) -> None:
        self.live = live

    async def send(
        self,
        method: Method,
        path: str,
        caller: Peer,
        body: bytes = b"",
        key: str | None = None,
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
        headers[b"X-Forwarded-For"] = b", ".join([*told.get(b"x-forwarded-for", []), caller.address[0].encode()])
    return headers
