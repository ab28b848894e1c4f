"""The endpoint over HTTP: its manners, its bounds, whose budget a call is, and who may ask."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp.server import Server

from library.interface.bodies import MAX_BODY
from mcpserver import server
from mcpserver.calling import PROBLEM_KEY
from mcpserver.server import MAX_READ
from server.app import Service
from server.commands import bound
from tests import calls
from tests.builders import BOOK
from tests.service import HERE

from .conftest import served

RUN = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
OLD = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
NEW = {"Accept": "application/json", "MCP-Protocol-Version": "2026-07-28"}
pytestmark = pytest.mark.slow
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "a test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, site: tuple[Path, Path]) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("http"), site) as (number, _):
        yield number


def call(name: str, **sent: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": sent}}


def post(port: int, body: Any, *, source: str = "127.0.0.1", **headers: str) -> httpx.Response:
    """A POST from an address of loopback; of a header named `x_y` the name is `x-y`."""
    told = {**OLD, **{name.replace("_", "-"): value for name, value in headers.items()}}
    with calls.Client(transport=httpx.HTTPTransport(local_address=source)) as client:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return client.post(
            f"http://127.0.0.1:{port}/mcp", content=content, headers={"Content-Type": "application/json", **told}
        )


def in_json(answer: httpx.Response, status: int) -> str:
    """The message of an error, which is JSON whatever went wrong."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    return str(answer.json()["error"]["message"])


def raw(port: int, request: bytes, *, timeout: float = 20) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
        return answer


def test_a_call_is_answered_at_once_and_in_json(port: int) -> None:
    answer = post(port, call("get_playbook", slug=BOOK))
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["result"]["structuredContent"]["slug"] == BOOK
    assert "mcp-session-id" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_kept_connection_does_not_wait_for_acknowledgements() -> None:
    # asyncio switches Nagle's algorithm off only on sockets that are named TCP; else each answer takes 40 ms.
    with closing(bound("127.0.0.1", 0)) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_the_newer_protocol_is_answered_too(port: int) -> None:
    body = call("get_playbook", slug=BOOK)
    body["params"]["_meta"] = ENVELOPE
    answer = post(port, body, **NEW, Mcp_Method="tools/call", Mcp_Name="get_playbook")
    assert answer.json()["result"]["structuredContent"]["slug"] == BOOK


def test_space_around_a_header_is_no_part_of_it(port: int) -> None:
    body = call("list_agents")
    body["params"]["_meta"] = ENVELOPE
    sent = json.dumps(body).encode()
    head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
    told = {**NEW, "Mcp-Method": "tools/call", "Mcp-Name": "\t list_agents \t", "Content-Length": str(len(sent))}
    lines = head + "".join(f"{name}: {value}\r\n" for name, value in told.items()) + "\r\n"
    assert b" 200 " in raw(port, lines.encode() + sent)[:20]


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD"])
@pytest.mark.parametrize("headers", [{}, {"Accept": "text/event-stream"}, {"MCP-Protocol-Version": "2025-11-25"}])
def test_no_other_method_hangs(port: int, method: str, headers: dict[str, str]) -> None:
    answer = calls.request(method, f"http://127.0.0.1:{port}/mcp", headers=headers)
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST, OPTIONS"
    if method != "HEAD":
        in_json(answer, 405)


@pytest.mark.parametrize(("method", "status"), [("OPTIONS", 204), ("GET", 405), ("POST", 421)])
def test_a_strange_name_is_looked_at_only_where_something_is_sent(port: int, method: str, status: int) -> None:
    told = {"Host": "evil.example", "Content-Type": "application/json", "Accept": "application/json"}
    answer = calls.request(method, f"http://127.0.0.1:{port}/mcp", headers=told)
    assert answer.status_code == status


def test_another_site_s_page_is_not_let_in(port: int) -> None:
    options = calls.options(f"http://127.0.0.1:{port}/mcp", headers={"Origin": "https://evil.example"})
    assert options.status_code == 204
    assert "access-control-allow-origin" not in options.headers
    for origin in ("https://evil.example", "null", f"http://127.0.0.1.evil.example:{port}", "https://playbooks.test.x"):
        in_json(post(port, call("list_agents"), Origin=origin), 403)
    for origin in (f"http://127.0.0.1:{port}", "http://localhost:9", HERE):
        assert post(port, call("list_agents"), Origin=origin).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:80", "playbooks.test.x", ""])
def test_another_name_is_refused(port: int, host: str) -> None:
    in_json(post(port, call("list_agents"), Host=host), 421)


@pytest.mark.parametrize("host", ["playbooks.test", "playbooks.test:8443", "127.0.0.1", "localhost:1", "[::1]:8000"])
def test_the_names_of_the_site_and_of_loopback_are_known(port: int, host: str) -> None:
    assert post(port, call("list_agents"), Host=host).status_code == 200


def test_further_names_may_be_told(tmp_path: Path, site: tuple[Path, Path]) -> None:
    with served(tmp_path, site, hosts=["inner.example", "fd00::1"]) as (port, _):
        for host in ("inner.example:81", "[fd00::1]"):
            assert post(port, call("list_agents"), Host=host).status_code == 200


def test_a_coded_body_is_refused(port: int) -> None:
    refused = post(port, call("list_agents"), Content_Encoding="br")
    assert "without Content-Encoding" in in_json(refused, 415)
    assert refused.headers["accept-encoding"] == "identity"
    assert post(port, call("list_agents"), Content_Encoding="identity").status_code == 200


def test_a_body_has_a_bound(port: int) -> None:
    fits = json.dumps(call("search_playbooks", q="x")).encode()
    assert post(port, fits.ljust(MAX_BODY)).status_code == 200
    long = json.dumps(call("search_playbooks", q="x" * MAX_BODY)).encode()
    answer = post(port, long)
    assert (answer.json()["id"], "64 KiB" in in_json(answer, 200)) == (1, True)  # the request fails, no session does
    assert "64 KiB" in in_json(post(port, fits[:-1].ljust(MAX_BODY + 1)), 413)
    assert "64 KiB" in in_json(post(port, long.ljust(MAX_READ + 1)), 413)
    head = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json\r\n"
    chunk = b"80000\r\n" + b" " * 0x80000 + b"\r\n"
    assert b" 413 " in raw(port, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 2 + b"1\r\n \r\n0\r\n\r\n")[:20]
    assert b" 413 " in raw(port, head + b"Content-Length: 9999999999\r\n\r\n")[:20]


def test_a_body_that_does_not_come_is_not_waited_for(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "SECONDS", 0.2)
    head = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json\r\n"
    answer = raw(port, head + b'Content-Length: 100\r\n\r\n{"jsonrpc"')
    assert b" 408 " in answer[:20]
    assert b'"error"' in answer


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"\x00",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}',
        b'[{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": 5}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "nothing/here"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "submit", "arguments": []}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": null}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "skills/get", "params": {"uri": ["x"]}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "x", "arguments": {"a": 1}}}',
        b"[" * 20_000 + b"]" * 20_000,
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"x": ' + b"[" * 9_000 + b"]" * 9_000 + b"}}",
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"x": ' + b"9" * 9_000 + b"}}",
    ],
)
@pytest.mark.parametrize("version", [OLD, NEW, {"MCP-Protocol-Version": "1999-01-01"}])
def test_what_is_no_request_is_an_error_in_json(port: int, body: bytes, version: dict[str, str]) -> None:
    answer = post(port, body, **{name.replace("-", "_"): value for name, value in version.items()})
    assert answer.status_code in (200, 400, 404), answer.text
    error = answer.json()["error"]
    assert error["code"] < -32000
    assert "Traceback" not in answer.text
    assert len(answer.content) < 20_000


@pytest.mark.parametrize("version", [OLD, NEW, {"MCP-Protocol-Version": "1999-01-01"}])
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "The body is not JSON."),
        (b"{", "The body is not JSON."),
        (b"[]", "no JSON-RPC message"),
        (b"{}", "no JSON"),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}', "a text or a whole number"),
        (b'{"jsonrpc": "2.0", "id": {"n": 1}, "method": "tools/list"}', "a text or a whole number"),
        (b'{"jsonrpc": "2.0", "id": null, "method": "tools/list"}', "a text or a whole number"),
    ],
)
def test_what_is_no_message_is_told_what_one_is(port: int, body: bytes, said: str, version: dict[str, str]) -> None:
    answer = post(port, body, **{name.replace("-", "_"): value for name, value in version.items()})
    message = in_json(answer, 400)
    assert said in message
    assert '"method": "tools/list"' in message
    assert "pydantic" not in message


def test_a_protocol_that_nobody_speaks_is_told_which_is(port: int) -> None:
    body = call("list_agents")
    body["params"]["_meta"] = {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "1999-01-01"}
    answer = post(port, body, MCP_Protocol_Version="1999-01-01", Mcp_Method="tools/call", Mcp_Name="list_agents")
    assert in_json(answer, 400) == "Unsupported protocol version"
    assert answer.json()["error"]["data"] == {"supported": ["2026-07-28"], "requested": "1999-01-01"}


def test_other_types_are_told(port: int) -> None:
    in_json(post(port, b"{}", Content_Type="text/plain"), 400)
    in_json(post(port, call("list_agents"), Accept="text/html"), 406)
    in_json(post(port, call("list_agents"), Accept="text/html", MCP_Protocol_Version="2026-07-28"), 406)


def test_a_notification_is_taken_without_a_word(port: int) -> None:
    answer = post(port, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (answer.status_code, answer.content) == (202, b"")


def test_a_key_makes_it_a_contributor_s(tmp_path: Path, site: tuple[Path, Path]) -> None:
    with served(tmp_path, site) as (port, service):
        key = calls.post(f"http://127.0.0.1:{port}/api/v1/contributors", json={"handle": "ann"}).json()["api_key"]
        told = post(port, call("report_run", **RUN), Authorization=f"Bearer {key}").json()["result"]
        assert _reporter(service, told["structuredContent"]["id"]) == "ann"
        nobody = post(port, call("report_run", **RUN)).json()["result"]
        assert _reporter(service, nobody["structuredContent"]["id"]) is None


def _reporter(service: Service, name: str) -> str | None:
    run = service.services.store.run(name)
    assert run
    return run.reporter


def statuses(port: int, times: int, **headers: str) -> list[int]:
    """What a run report is answered, time after time; 200 stands for one that was taken."""
    found = [post(port, call("report_run", **RUN), **headers).json()["result"] for _ in range(times)]
    return [told["_meta"][PROBLEM_KEY]["status"] if told["isError"] else 200 for told in found]


def test_two_addresses_have_two_budgets_and_one_with_the_api(tmp_path: Path, site: tuple[Path, Path]) -> None:
    with served(tmp_path, site, write_limits="3 per minute") as (port, _):
        assert calls.post(f"http://127.0.0.1:{port}/api/v1/runs", json=RUN).status_code == 201
        assert statuses(port, 3) == [200, 200, 429]
        assert statuses(port, 4, source="127.0.0.2") == [200, 200, 200, 429]
        assert calls.post(f"http://127.0.0.1:{port}/api/v1/runs", json=RUN).status_code == 429
        # Nobody is believed who says where he comes from, unless a proxy is trusted.
        assert statuses(port, 1, X_Forwarded_For="192.0.2.9") == [429]


def test_behind_a_trusted_proxy_the_caller_is_whom_it_saw(tmp_path: Path, site: tuple[Path, Path]) -> None:
    with served(tmp_path, site, write_limits="1 per minute", trusted_proxies=1) as (port, _):
        assert statuses(port, 2, X_Forwarded_For="192.0.2.1") == [200, 429]
        assert statuses(port, 2, X_Forwarded_For="192.0.2.1, 192.0.2.2") == [200, 429]
        assert statuses(port, 1, X_Forwarded_For="192.0.2.7, 192.0.2.2") == [429]


def test_an_endpoint_answers_only_while_it_runs_and_may_run_again() -> None:
    endpoint = server.Endpoint(Server("nothing"), ())

    async def status() -> int:
        transport = httpx.ASGITransport(app=endpoint)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            headers = {"Content-Type": "application/json", **OLD}
            return (await client.post("/mcp", json=call("x"), headers=headers)).status_code

    async def live() -> list[int]:
        found = [await status()]
        for _ in range(2):
            async with endpoint.running():
                found.append(await status())
            found.append(await status())
        return found

    assert anyio.run(live) == [503, 200, 503, 200, 503]
