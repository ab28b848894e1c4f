"""The rich library behind an MCP server, asked by the SDK's own client; and the same as a real server on loopback."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import anyio
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.server import Server
from mcp.shared.exceptions import MCPError

from mcpserver.calling import PROBLEM_KEY
from mcpserver.library import LocalLibrary, Peer
from mcpserver.server import server_of
from server.app import Service
from server.commands import bound
from server.mcp import beside, search_by
from tests.service import HERE, a_library, a_service

LEGACY, MODERN = "legacy", "auto"
ERAS = [LEGACY, MODERN]
SOMEBODY = Peer(("192.0.2.1", 50_000))


def problem(result: Any) -> dict[str, Any]:
    """The problem details of an error, which has no structured result that a client could hold against a schema."""
    assert result.is_error, result
    assert result.structured_content is None
    found: dict[str, Any] = result.meta[PROBLEM_KEY]
    return found


@dataclass(frozen=True)
class Asker:
    """Asks one MCP server, in this process, in one era of the protocol."""

    service: Service
    era: str = MODERN
    caller: Peer = SOMEBODY

    def __call__(self, question: Callable[[Client], Awaitable[Any]]) -> Any:
        """What the question's answer is; a session for each."""

        async def ask() -> Any:
            async with Client(self.server(), mode=self.era, raise_exceptions=True) as client:
                try:
                    return await question(client)
                except MCPError as error:  # raised here, it would come out in a group of groups
                    return error

        answer = anyio.run(ask)
        if isinstance(answer, MCPError):
            raise answer
        return answer

    def server(self) -> Server[Any]:
        service = self.service
        library = LocalLibrary(service.site.out, search_by(lambda: service.engine), service.live, HERE)
        return server_of(library, self.caller)

    def call(self, name: str, /, **sent: Any) -> Any:
        """What a tool answers."""
        return self(lambda client: client.call_tool(name, sent))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The rich library: its content, and its site, built."""
    return a_library(tmp_path_factory.mktemp("mcp"))


@contextmanager
def made(folder: Path, site: tuple[Path, Path], **settings: Any) -> Iterator[Service]:
    """The service over the rich library, with a queue of its own."""
    service = a_service(folder, content=site[0], out=site[1], **settings)
    try:
        yield service
    finally:
        service.close()


@pytest.fixture(scope="session")
def reading(tmp_path_factory: pytest.TempPathFactory, site: tuple[Path, Path]) -> Iterator[Service]:
    """One service for all tests that only read."""
    with made(tmp_path_factory.mktemp("reading"), site) as service:
        yield service


@pytest.fixture(params=ERAS)
def asker(request: pytest.FixtureRequest, reading: Service) -> Asker:
    """Asks in each era of the protocol."""
    return Asker(reading, request.param)


@pytest.fixture
def making(tmp_path: Path, site: tuple[Path, Path]) -> Callable[..., Any]:
    """Makes services with settings of their own."""
    return partial(made, tmp_path, site)


@pytest.fixture
def service(making: Callable[..., Any]) -> Iterator[Service]:
    """A service whose queue is empty."""
    with making() as service:
        yield service


@contextmanager
def listening(app: Any) -> Iterator[int]:
    """An application served on a free port of loopback, by the server that `playbooks serve` runs."""
    listener = bound("127.0.0.1", 0)
    listener.listen()
    config = uvicorn.Config(app, log_level="error", access_log=False, server_header=False, proxy_headers=False)
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(60)
        listener.close()


@contextmanager
def served(
    folder: Path, site: tuple[Path, Path], hosts: Sequence[str] = (), **settings: Any
) -> Iterator[tuple[int, Service]]:
    """The whole service on loopback, with its queue."""
    with made(folder, site, **settings) as service:
        out = service.site.out
        service.mcp = beside(out, service.live, service.engine, HERE, hosts)
        with listening(service) as port:
            yield port, service
