"""The library of another server, through its addresses: the same answers, and writes in the caller's name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from starlette.responses import RedirectResponse, Response

from mcpserver.library import Peer, RemoteLibrary
from mcpserver.server import Endpoint, alone, server_of
from server.app import Service
from tests import calls
from tests.builders import BOOK

from .conftest import Asker, listening, problem, served
from .test_http import RUN, call, post

pytestmark = pytest.mark.slow
NONE: Mapping[str, Response] = {}


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory, site: tuple[Path, Path]) -> Iterator[tuple[int, Service]]:
    with served(tmp_path_factory.mktemp("there"), site, write_limits="1000 per minute") as found:
        yield found


def ask(port: int, question: Callable[[Client], Awaitable[Any]], caller: Peer | None = None) -> Any:
    async def run() -> Any:
        remote = RemoteLibrary(f"http://127.0.0.1:{port}")
        async with Client(server_of(remote, caller or Peer()), mode="auto") as client:
            answer = await question(client)
        await remote.client.aclose()
        return answer

    return anyio.run(run)


def to_call(name: str, sent: dict[str, Any]) -> Callable[[Client], Awaitable[Any]]:
    return lambda client: client.call_tool(name, sent)


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("search_playbooks", {"q": "flaky tests & more?"}),
        ("search_playbooks", {"q": "x", "agent": "a&b=c#d"}),
        ("find_playbook", {"task": "flaky tests", "agent": "cursor"}),
        ("find_playbook", {"task": "flaky tests. " + "The build was red again at night. " * 200}),
        ("get_playbook", {"slug": BOOK}),
        ("get_playbook", {"slug": BOOK, "detail": "full"}),
        ("get_playbook", {"slug": "old-flaky"}),
        ("get_playbook", {"slug": "no-such"}),
        ("list_tasks", {"limit": 1}),
        ("list_agents", {}),
        ("list_lessons", {}),
        ("submission_status", {"id": "sub_" + "a" * 26}),
        ("submission_status", {"id": "run_" + "a" * 26}),
        ("withdraw", {"id": "run_" + "a" * 26}),
    ],
)
def test_it_answers_as_the_one_that_reads_files(there: tuple[int, Service], name: str, sent: dict[str, Any]) -> None:
    port, service = there
    local = Asker(service).call(name, **sent)
    remote = ask(port, lambda client: client.call_tool(name, sent))
    assert remote.is_error is local.is_error
    if local.is_error:
        assert problem(remote)["status"] == problem(local)["status"]
    else:
        assert remote.structured_content == local.structured_content
        assert remote.content == local.content


def test_it_lists_and_reads_the_same(there: tuple[int, Service]) -> None:
    port, service = there
    local = Asker(service)
    assert ask(port, Client.list_resources).resources == local(Client.list_resources).resources
    assert ask(port, Client.list_prompts).prompts == local(Client.list_prompts).prompts
    uri = f"skill://{BOOK}/SKILL.md"
    read = ask(port, lambda client: client.read_resource(uri))
    assert read.contents == local(lambda client: client.read_resource(uri)).contents


def test_it_writes_with_the_key_of_who_runs_it(there: tuple[int, Service]) -> None:
    port, service = there
    key = calls.post(f"http://127.0.0.1:{port}/api/v1/contributors", json={"handle": "bea"}).json()["api_key"]
    caller = Peer(None, ((b"authorization", f"Bearer {key}".encode()),))

    def report(client: Client) -> Awaitable[Any]:
        return client.call_tool("report_run", {**RUN, "idempotency_key": "once"})

    one, other = (ask(port, report, caller).structured_content for _ in range(2))
    assert one == other
    run = service.services.store.run(one["id"])
    assert run
    assert run.reporter == "bea"
    status = ask(port, to_call("submission_status", {"id": one["id"]})).structured_content
    assert (status["id"], status["status"]) == (one["id"], "pending")
    gone = ask(port, to_call("withdraw", {"id": one["id"], "edit_token": one["edit_token"]}))
    assert gone.structured_content["status"] == "withdrawn"
    bad = ask(port, lambda client: client.call_tool("report_run", {**RUN, "outcome": "x"}), caller)
    assert problem(bad)["errors"][0]["pointer"] == "/outcome"


def test_a_key_of_odd_bytes_is_refused_like_any_other(there: tuple[int, Service]) -> None:
    headers = ((b"authorization", b"Bearer \xe9\xff"), (b"x-forwarded-for", b"\xe9"))
    caller = Peer(("192.0.2.1", 1), headers)
    answer = ask(there[0], lambda client: client.call_tool("report_run", dict(RUN)), caller)
    assert problem(answer)["status"] == 401


def test_callers_over_http_keep_their_own_budgets(tmp_path: Path, site: tuple[Path, Path]) -> None:
    with served(tmp_path, site, write_limits="1 per minute", trusted_proxies=1) as (port, _):
        remote = RemoteLibrary(f"http://127.0.0.1:{port}")
        with listening(_closing(alone(Endpoint(server_of(remote), [])), remote)) as between:
            told = [
                post(between, call("report_run", **RUN), source=source).json()["result"]["isError"]
                for source in ("127.0.0.1", "127.0.0.1", "127.0.0.2")
            ]
    assert told == [False, True, False]


def test_nobody_there_is_a_sentence() -> None:
    with listening(_answering(Response("<h1>Bad gateway</h1>", 502))) as port:
        for name, sent in (("get_playbook", {"slug": BOOK}), ("list_agents", {}), ("report_run", RUN)):
            answer = ask(port, to_call(name, sent))
            assert answer.is_error
            assert problem(answer)["status"] == 503
        search = ask(port, lambda client: client.call_tool("search_playbooks", {"q": "x"}))
        assert "no live search" in search.content[0].text
    gone = ask(port, lambda client: client.call_tool("report_run", dict(RUN)))
    assert problem(gone)["status"] == 503
    assert "idempotency key" in gone.content[0].text


@pytest.mark.parametrize(
    "answer",
    [Response("x"), Response("[1]"), Response("{}"), RedirectResponse("http://127.0.0.1:1/"), Response(b"\xff")],
)
def test_an_odd_answer_is_never_a_crash(answer: Response) -> None:
    with listening(_answering(answer)) as port:
        for name, sent in (("list_agents", {}), ("report_run", RUN), ("search_playbooks", {"q": "x"})):
            told = ask(port, to_call(name, sent))
            assert told.is_error, (name, told)
            assert problem(told)["status"] >= 500


EVERY = [
    ("find_playbook", {"task": "x"}),
    ("search_playbooks", {"q": "x"}),
    ("get_playbook", {"slug": BOOK}),
    ("list_tasks", {}),
    ("list_agents", {}),
    ("list_lessons", {}),
    ("report_run", RUN),
    ("submit", {"title": "x", "body": "y"}),
    ("submission_status", {"id": "sub_" + "a" * 26}),
    ("withdraw", {"id": "run_" + "a" * 26, "edit_token": "edt_" + "0" * 43}),
]


@pytest.mark.parametrize(
    "answer",
    [
        Response("<h1>Not found</h1>", 404),
        Response('{"message": "Not Found"}', 404),
        Response("<h1>Welcome</h1>"),
        Response("{}"),
        Response("", 403),
        Response("", 405),
        Response("", 501),
        RedirectResponse("http://127.0.0.1:1/"),
    ],
    ids=["404", "404 in JSON", "a page", "JSON", "403", "405", "501", "elsewhere"],
)
def test_every_tool_says_that_there_is_no_library(answer: Response) -> None:
    with listening(_answering(answer)) as port:
        for name, sent in EVERY:
            told = ask(port, to_call(name, sent))
            assert told.is_error, name
            assert f"There is no library at http://127.0.0.1:{port}" in told.content[0].text, (name, told.content)


def test_a_library_of_files_alone_is_a_library() -> None:
    links = Response('{"title": "A", "version": "0.1.0", "links": {}}')
    with listening(_answering(Response("", 405), {"/api/v1/index.json": links})) as port:
        search = ask(port, to_call("search_playbooks", {"q": "x"}))
        assert "no live search" in search.content[0].text
        status = ask(port, to_call("submission_status", {"id": "sub_" + "a" * 26}))
        assert "can be read" in status.content[0].text


@pytest.mark.parametrize("status", [429, 503])
def test_when_to_try_again_is_told(status: int) -> None:
    told_so = b'{"type": "https://x.example/docs/errors/#a", "title": "A", "status": %d, "detail": "B"}' % status
    for body in (told_so, b"busy"):
        with listening(_answering(Response(body, status, {"Retry-After": "17"}))) as port:
            for name, sent in EVERY:
                told = ask(port, to_call(name, sent))
                assert problem(told)["retry_after"] == 17, (name, told)
                assert "Retry-After: 17 seconds." in told.content[0].text


def test_an_endless_answer_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpserver.library.MAX_ANSWER", 1_000)
    with listening(_answering(Response("x" * 2_000))) as port:
        told = ask(port, lambda client: client.call_tool("get_playbook", {"slug": BOOK}))
    assert "too long" in told.content[0].text


def _answering(answer: Response, others: Mapping[str, Response] = NONE) -> Callable[..., Awaitable[None]]:
    """A server that always answers the same, but for some paths."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
        else:
            await others.get(scope["path"], answer)(scope, receive, send)

    return app


def _closing(app: Any, remote: RemoteLibrary) -> Callable[..., Awaitable[None]]:
    """The application, which lets go of its connections at its end."""

    async def closing(scope: Any, receive: Any, send: Any) -> None:
        await app(scope, receive, send)
        if scope["type"] == "lifespan":
            await remote.client.aclose()

    return closing
