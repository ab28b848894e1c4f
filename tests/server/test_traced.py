"""One id from the proxy to the queue, over MCP too; and logs in which nothing of what was sent stands."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from flask import Flask

from server.app import Service
from tests.builders import BOOK
from tests.service import Client, a_service
from writeapi.logs import Trouble, log_requests

pytestmark = pytest.mark.slow
PROXYS = "0123456789abcdef0123456789abcdef"
REPORT = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [json.loads(record.message) for record in caplog.records if record.name == "playbooks.access"]


def mcp(
    service: Service, tool: str, arguments: dict[str, Any], times: int = 1, given: str = ""
) -> list[httpx.Response]:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    told = {"Accept": "application/json, text/event-stream", "Host": "127.0.0.1", "X-Request-Id": given}

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=service, client=("192.0.2.1", 50_000))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.post("/mcp", json=call, headers=told)

    async def ask_all() -> list[httpx.Response]:
        async with service.mcp.running():
            return [await ask() for _ in range(times)]

    return anyio.run(ask_all)


@pytest.mark.inside
@pytest.mark.parametrize("proxies", [0, 1])
def test_mcp_and_what_it_writes_have_one_id(tmp_path: Path, caplog: pytest.LogCaptureFixture, proxies: int) -> None:
    caplog.set_level(logging.INFO, "playbooks.access")
    service = a_service(tmp_path, trusted_proxies=proxies)
    (answer,) = mcp(service, "report_run", REPORT, given=PROXYS)
    service.close()
    inner, outer = lines(caplog)
    assert (inner["route"], outer["route"]) == ("/runs", "/mcp")
    assert inner["id"] == outer["id"] == answer.headers["x-request-id"]
    assert (inner["id"] == PROXYS) is bool(proxies), "a caller may not choose"


@pytest.mark.inside
def test_one_request_after_the_other_has_an_id_of_its_own(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "playbooks.access")
    service = a_service(tmp_path)
    ask = Client(service)
    mcp(service, "report_run", REPORT, 3)
    for _ in range(3):
        ask("/api/v1/runs", "POST", json=REPORT)
    service.close()
    assert len(lines(caplog)) == 9
    assert len({line["id"] for line in lines(caplog)}) == 6


def test_an_error_is_told_by_its_kind_and_place_without_its_words() -> None:
    app = Flask("test")
    log_requests(app)
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(Trouble().format(record))  # type: ignore[method-assign]  # a probe
    app.logger.addHandler(handler)

    @app.post("/broken/<word>")
    def broken(word: str) -> str:
        raise ValueError(f"cannot take {word}") from KeyError("ada@example.org")

    answer = app.test_client().post("/broken/hidden-in-path?key=hidden-in-query", data="hidden-in-body")
    assert answer.status_code == 500
    line = json.loads(said[-1])
    assert (line["level"], line["id"]) == ("error", answer.headers["x-request-id"])
    assert line["error"] == ["ValueError", "KeyError"]
    assert any(place.endswith(" broken") for place in line["places"])
    assert "hidden" not in said[-1]
    assert "ada@" not in said[-1]
