"""The endpoint for agents is made when it is first asked: once, however many ask, and never for a server that ends."""

from __future__ import annotations

import anyio
import httpx
import pytest
from mcp.server import Server

from mcpserver.http import Endpoint
from server.mcp import LateEndpoint


class Made(Endpoint):
    """An endpoint without tools; how many there are."""

    number = 0

    def __init__(self) -> None:
        super().__init__(Server("nothing"), ())
        Made.number += 1


async def asked(endpoint: LateEndpoint, method: str) -> int:
    transport = httpx.ASGITransport(app=endpoint)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return (await client.request(method, "/mcp", json={})).status_code


@pytest.mark.inside
def test_it_is_made_once_and_lives_as_long_as_the_server() -> None:
    endpoint = LateEndpoint(Made)
    statuses: list[int] = []

    async def ask() -> None:
        statuses.append(await asked(endpoint, "GET"))

    async def live() -> None:
        assert await asked(endpoint, "POST") == 503, "before the server lives"
        async with endpoint.running():
            assert Made.number == 0
            async with anyio.create_task_group() as together:
                for _ in range(8):
                    together.start_soon(ask)
        assert await asked(endpoint, "POST") == 503, "after it"

    anyio.run(live)
    assert statuses == [405] * 8
    assert Made.number == 1
    anyio.run(live_again, endpoint)
    assert Made.number == 2


async def live_again(endpoint: LateEndpoint) -> None:
    """A server may be started anew in one process, as tests do."""
    async with endpoint.running():
        assert await asked(endpoint, "GET") == 405
