"""What one caller may ask for: counted by kind, refused in the shape of the place, and nobody else is kept waiting."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from werkzeug.test import Client as WsgiClient
from werkzeug.wrappers import Response

from server import budgets as module
from server.budgets import BUDGETS, MOST, Budget, Budgets, budget_of
from tests.service import HERE, Client, a_service
from tests.waiting import PATIENCE

ONE = Budget("one", second=2, burst=3, together=2)


class Clock:
    """A clock that goes on when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def counted(clock: Clock, proxies: int = 0, times: int = 1) -> Budgets:
    return Budgets(HERE, times, proxies, clock)


def test_a_burst_is_taken_then_so_many_a_second_and_others_have_their_own() -> None:
    here = counted(clock := Clock())
    assert [here.over(ONE, "192.0.2.1", "") for _ in range(6)] == [0, 0, 0, 0, 1, 1]
    assert here.over(ONE, "192.0.2.2", "") == 0
    clock.now = 0.5  # what was refused did not count
    assert [here.over(ONE, "192.0.2.1", "") for _ in range(2)] == [0, 1]
    clock.now = 1_000.0
    assert [here.over(ONE, "192.0.2.1", "") for _ in range(5)] == [0, 0, 0, 0, 1]
    clock.now = 0.0  # set back: nobody waits longer than a full budget takes
    assert here.over(ONE, "192.0.2.3", "") == 0


def test_a_caller_is_an_address_or_a_64_and_only_a_trusted_proxy_is_believed() -> None:
    here, behind = counted(Clock()), counted(Clock(), proxies=1)
    there = [f"2001:db8:1:2::{number:x}" for number in range(8)]
    assert sum(here.over(ONE, address, "") > 0 for address in there) == 4
    forged = [f"198.51.100.{number}" for number in range(8)]
    assert sum(here.over(ONE, "192.0.2.1", address) > 0 for address in forged) == 4
    assert sum(behind.over(ONE, "127.0.0.1", address) > 0 for address in forged) == 0


def test_nothing_is_bounded_by_0_and_a_factor_multiplies() -> None:
    assert not any(counted(Clock(), times=0).over(ONE, "192.0.2.1", "") for _ in range(100))
    here = counted(Clock(), times=3)
    assert sum(here.over(ONE, "192.0.2.1", "") == 0 for _ in range(100)) == 10


def test_so_many_callers_are_remembered() -> None:
    here = counted(Clock())
    for number in range(MOST + 50):
        here.over(ONE, f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", "")
    assert len(here._until) == MOST


@pytest.mark.parametrize(
    ("method", "path", "asks", "kind"),
    [
        ("GET", "/", False, "files"),
        ("GET", "/api/v1/playbooks/fix-flaky-tests", False, "files"),
        ("GET", "/api/v1/playbooks", True, "files"),
        ("GET", "/api/v1/readyz", False, "answers"),
        ("GET", "/api/v1/submissions/sub_x", False, "answers"),
        ("GET", "/submissions/", True, "answers"),
        ("GET", "/submissions/", False, "files"),
        ("GET", "/api/v1/search", True, "search"),
        ("POST", "/api/v1/search", False, "search"),
        ("POST", "/api/v1/find", False, "search"),
        ("GET", "/search/", True, "search"),
        ("POST", "/api/v1/runs", False, "writes"),
        ("DELETE", "/api/v1/runs/run_x", False, "writes"),
        ("POST", "/mcp", False, "mcp"),
        ("POST", "/review/sign-in", False, "review"),
    ],
)
def test_each_request_has_a_budget(method: str, path: str, asks: bool, kind: str) -> None:
    assert budget_of(method, path, asks=asks) is BUDGETS[kind]


@pytest.mark.parametrize("path", ["/api/v1/readyz", "/", "/api/v1/search?q=flaky", "/mcp", "/review"])
def test_the_service_refuses_in_the_shape_of_the_place(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CALM", 0)
    service = a_service(tmp_path, budgets=1)
    service.budgets = Budgets(HERE, 1, 0, clock := Clock())
    method = "POST" if path == "/mcp" else "GET"
    kind = budget_of(method, path.partition("?")[0], asks="?" in path)
    for _ in range(kind.burst + 1):
        service.budgets.over(kind, "192.0.2.1", "")
    refused = Client(service)(path, method)
    assert (refused.status_code, refused.headers["retry-after"], refused.headers["cache-control"]) == (
        *(429, "1"),
        "no-store",
    )
    if path == "/mcp":
        assert f"At most {kind.second} requests" in refused.json()["error"]["message"]
    else:
        assert refused.headers["content-type"] == "application/problem+json"
        assert refused.json()["type"].endswith("#rate-limited")
    assert Client(service, "192.0.2.2")(path, method).status_code != 429
    clock.now = 2.0
    assert Client(service)(path, method).status_code != 429


def test_refusals_of_one_moment_are_told_one_after_the_other() -> None:
    here = counted(clock := Clock())
    waits = [here.pause() for _ in range(600)]
    assert waits[:3] == pytest.approx([1.0, 1.01, 1.02])
    assert (max(waits), waits == sorted(waits)) == (5.0, True)
    clock.now = 2.5
    assert here.pause() == pytest.approx(2.51), "after those that still wait"
    clock.now = 60.0
    assert here.pause() == 1.0


def test_a_wsgi_application_is_not_asked_beyond_it() -> None:
    asked = list[str]()

    def app(environ: object, start: object) -> object:
        asked.append("once")
        return Response("there")(environ, start)  # type: ignore[arg-type]  # what came is handed on

    client = WsgiClient(counted(Clock()).within(app))  # type: ignore[arg-type]  # an application
    kind = BUDGETS["answers"]
    answers = [client.get("/api/v1/readyz", environ_base={"REMOTE_ADDR": "192.0.2.1"}) for _ in range(kind.burst + 5)]
    assert [answer.status_code for answer in answers] == [200] * (kind.burst + 1) + [429] * 4
    assert answers[-1].headers["Retry-After"] == "1"
    assert len(asked) == kind.burst + 1


def test_a_quarter_of_the_threads_is_kept_for_writes() -> None:
    """Six of eight threads read, each for a caller of its own: the seventh read is refused, and a write is not."""
    inside, ends = threading.Semaphore(0), threading.Event()

    def app(environ: Any, start: Any) -> Any:
        if environ["REQUEST_METHOD"] == "GET":
            inside.release()
            ends.wait(PATIENCE)
        return Response("there")(environ, start)

    client = counted(Clock()).within(app, 8)
    with ThreadPoolExecutor(6) as pool:

        def read(number: int) -> int:
            return (
                WsgiClient(client).get("/api/v1/search", environ_base={"REMOTE_ADDR": f"192.0.2.{number}"}).status_code
            )

        readers = [pool.submit(read, number) for number in range(6)]
        assert all(inside.acquire(timeout=PATIENCE) for _ in readers)
        refused = WsgiClient(client).get("/api/v1/search", environ_base={"REMOTE_ADDR": "192.0.2.9"})
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
        assert WsgiClient(client).post("/api/v1/runs").status_code == 200
        ends.set()
        assert [reader.result() for reader in readers] == [200] * 6
    assert read(9) == 200, "whoever was answered gave the thread back"


def test_a_refusal_has_an_id_and_a_line_in_the_log(caplog: pytest.LogCaptureFixture, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "CALM", 0)
    here = counted(Clock())
    kind, scope = BUDGETS["search"], {"type": "http", "method": "GET", "client": ("192.0.2.1", 1), "headers": []}
    client = WsgiClient(here.within(Response("there")))
    for _ in range(kind.burst + 1):
        here.over(kind, "192.0.2.1", "")
    caplog.set_level("INFO", "playbooks.access")
    refused = anyio.run(here.refused, scope, kind)
    assert refused is not None
    other = client.get("/api/v1/search?q=secret", environ_base={"REMOTE_ADDR": "192.0.2.1"})
    assert other.status_code == 429
    lines = [json.loads(record.message) for record in caplog.records]
    assert [line["id"] for line in lines] == [refused.headers["X-Request-Id"], other.headers["X-Request-Id"]]
    assert {(line["route"], line["status"], line["method"]) for line in lines} == {("budget search", 429, "GET")}


def test_so_many_of_one_caller_are_answered_together_and_others_beside_them() -> None:
    here, most = counted(Clock()), 0

    async def ask(address: str, at_once: list[int]) -> None:
        nonlocal most
        async with here.turn({"type": "http", "client": (address, 1), "headers": []}, ONE.together):
            at_once[0] += 1
            most = max(most, at_once[0])
            await anyio.sleep(0.01)
            at_once[0] -= 1

    async def all_of_them() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(ask, "192.0.2.1", own)

    own = [0]
    anyio.run(all_of_them)
    assert most == ONE.together
    assert not here._turns


def test_lines_of_one_header_count_from_the_last() -> None:
    """A caller's own line comes first, and the proxy's after it: the caller has one budget, whatever it wrote."""
    behind = counted(Clock(), proxies=1)

    async def ask(forged: int) -> int:
        lines = [(b"x-forwarded-for", text.encode()) for text in (f"198.51.100.{forged}", "203.0.113.9")]
        scope = {"type": "http", "method": "GET", "path": "/", "client": ("127.0.0.1", 1), "headers": lines}
        refused = await behind.refused(scope, ONE)
        return refused.status_code if refused else 200

    assert [anyio.run(ask, forged) for forged in range(6)] == [200] * 4 + [429] * 2
