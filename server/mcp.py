"""The MCP server over a built site in this process: its endpoint beside the site, and what it searches by."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup, TaskStatus
from starlette.types import ASGIApp, Receive, Scope, Send

from library.interface.errors import INVALID
from mcpserver.ports import FileReader, Record, Refusal
from mcpserver.transport import stopping
from writeapi.api.live import SearchSource, opened, read_question
from writeapi.api.wire import ApiError

if TYPE_CHECKING:
    from mcpserver.http import Endpoint


def search_by(source: SearchSource) -> Callable[[Mapping[str, str]], Record]:
    """What answers questions by the engine in use, as `GET /search` does."""

    def search(question: Mapping[str, str]) -> Record:
        try:
            asked = read_question({name: [value] for name, value in question.items()})
            return opened(source).answer(asked).model_dump(mode="json")
        except ApiError as error:
            raise Refusal(error.kind, error.detail, error.errors) from error
        except ValueError as error:
            raise Refusal(INVALID, "The question cannot be read.") from error

    return search


class LateEndpoint:
    """An endpoint that is made when it is first asked: to load the protocol takes as long as the rest of a start."""

    def __init__(self, make: Callable[[], Endpoint]) -> None:
        self._make = make
        self._tasks: TaskGroup | None = None
        self._endpoint: Endpoint | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """For as long as the server lives."""
        self._lock = anyio.Lock()
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            try:
                yield
            finally:
                self._tasks = self._endpoint = None
                tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        answer = await self._made() or stopping()
        await answer(scope, receive, send)

    async def _made(self) -> Endpoint | None:
        """The endpoint, which runs; None before the server lives, and after."""
        if self._tasks is None:
            return None
        async with self._lock:
            if self._endpoint is None and self._tasks is not None:
                self._endpoint = await self._tasks.start(self._run)
            return self._endpoint

    async def _run(self, *, task_status: TaskStatus[Endpoint]) -> None:
        endpoint = await to_thread.run_sync(self._make)
        async with endpoint.running():
            task_status.started(endpoint)
            await anyio.sleep_forever()


def beside(out: Path, live: ASGIApp, source: SearchSource, site_url: str, hosts: Sequence[str]) -> LateEndpoint:
    """The endpoint over the site behind `out`, writing to `live`; `hosts` are further names that it may be asked by."""

    def make() -> Endpoint:
        from mcpserver.http import Endpoint
        from mcpserver.remote import InProcessWriter
        from mcpserver.server import Handlers

        library = Handlers(FileReader(out, search_by(source)), InProcessWriter(live), site_url.rstrip("/"))
        return Endpoint(library.server(), hosts_of(site_url, hosts))

    return LateEndpoint(make)


def hosts_of(site_url: str, further: Sequence[str] = ()) -> list[str]:
    """The names, without a port, by which a server of this site may be asked."""
    name = urlsplit(site_url).hostname or ""
    return [f"[{host}]" if ":" in host and not host.startswith("[") else host for host in (name, *further) if host]
