"""Budgets before nginx: one caller's flood is refused there, in the shape of the place, and others are answered."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from build.views.routes import API
from server.budgets import BUDGETS
from tests import calls
from tests.faults.http_client import Answer, Client, request, together
from tests.front import deployed
from tests.nginx import needs_nginx
from tests.postgres import needs_postgres

pytestmark = [pytest.mark.slow, pytest.mark.system, needs_nginx, needs_postgres]
SEARCH = f"{API}/search?q=flaky"
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
OF_MCP = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def test_a_flood_is_refused_by_kind_and_others_are_answered(content: Path, tmp_path: Path) -> None:
    with deployed(content, tmp_path, budgets="1") as stack:
        address = stack.nginx.address
        flood = together(BUDGETS["search"].burst + 20, lambda _: request(address, "GET", SEARCH))
        given = Counter(answer.status for answer in flood)
        assert set(given) == {200, 429}
        refused = next(answer for answer in flood if answer.status == 429)
        told(refused, "application/problem+json")
        assert refused.json["type"].endswith("#rate-limited")
        assert request(address, "GET", "/").status == 200  # another kind has a budget of its own
        with calls.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as other:
            assert other.get(f"{stack.nginx.url}{SEARCH}").status_code == 200

        def ping(_: int) -> Answer:
            with closing(Client(address)) as client:
                return client("POST", "/mcp", PING, **OF_MCP)

        answers = together(BUDGETS["mcp"].burst + 20, ping)
        refused = next(answer for answer in answers if answer.status == 429)
        told(refused, "application/json")
        assert "too many requests" in refused.json["error"]["message"]


def told(refused: Answer, kind: str) -> None:
    """A refusal says in what it is written and when to ask again, and no cache keeps it."""
    headers = refused.headers
    assert (headers["content-type"], headers["retry-after"], headers["cache-control"]) == (kind, "5", "no-store")
