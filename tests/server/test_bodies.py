"""Slow senders keep nobody else out, and a caller cannot beget callers without end."""

from __future__ import annotations

import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from starlette.types import Message

from server.requests import MAX_HEAD, MAX_HEADERS, read_body
from tests import calls
from tests.builders import BOOK, write_content
from tests.server.test_serve import start
from tests.service import Client, a_service

API = "/api/v1"
SENT = {"type": "http", "headers": [(b"content-length", b"5")]}


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("bodies")
    process, address = start(write_content(folder), folder / "out")
    yield address
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)


def test_a_hundred_senders_who_never_finish_stop_nobody(serving: str) -> None:
    host, _, port = serving.removeprefix("http://").partition(":")
    head = f"POST {API}/runs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{{"
    slow = [socket.create_connection((host, int(port)), timeout=60) for _ in range(100)]
    try:
        for connection in slow:
            connection.sendall(head.encode())
        report = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
        assert calls.get(f"{serving}{API}/search?q=flaky").status_code == 200
        assert calls.get(f"{serving}{API}/healthz").status_code == 200
        assert calls.post(f"{serving}{API}/runs", json=report).status_code == 201
    finally:
        for connection in slow:
            connection.close()


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (b"GET /", b"a" * 1024),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"X: " + b"a" * 1020 + b"\r\n"),
        (
            b"POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n",
            b"X: " + b"a" * 1020 + b"\r\n",
        ),
    ],
    ids=["address", "headers", "trailers"],
)
def test_what_has_no_end_and_is_no_body_is_refused(serving: str, head: bytes, piece: bytes) -> None:
    host, _, port = serving.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(head)
        with pytest.raises(ConnectionError):  # noqa: PT012 - it may be closed between any two of them
            for _ in range(64 * MAX_HEAD // len(piece)):
                connection.sendall(piece)
            pytest.fail(f"{64 * MAX_HEAD} bytes were taken")


def test_a_head_of_a_quarter_of_a_mebibyte_is_answered(serving: str) -> None:
    headers = {f"X-{number}": "a" * 2500 for number in range(80)}
    assert calls.get(f"{serving}{API}/healthz", headers=headers).status_code == 200


def test_a_head_of_very_many_headers_is_refused(serving: str) -> None:
    for many, status in ((MAX_HEADERS - 10, 200), (MAX_HEADERS + 1, 400), (6_000, 400)):
        headers = {f"a{number}": "" for number in range(many)}
        assert calls.get(f"{serving}{API}/healthz", headers=headers).status_code == status, many


def test_a_trailer_is_no_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it would name another caller than the proxy before this, which sets that header and knows no trailer."""
    monkeypatch.setenv("PLAYBOOKS_TRUSTED_PROXIES", "1")
    monkeypatch.setenv("PLAYBOOKS_WRITE_LIMITS", "2 per minute")
    process, address = start(write_content(tmp_path), tmp_path / "out")
    try:
        host, _, port = address.removeprefix("http://").partition(":")
        head = b"DELETE /api/v1/runs/run_x HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.1\r\n"
        seen = []
        for number in range(4):
            trailer = f"1\r\na\r\n0\r\nX-Forwarded-For: 198.51.100.{number}\r\n\r\n".encode()
            with socket.create_connection((host, int(port)), timeout=60) as connection:
                connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n" + trailer)
                seen.append(connection.recv(65_536).split()[1])
        assert seen[2:] == [b"429", b"429"], seen
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def test_a_body_that_is_not_wanted_may_come_whole(serving: str) -> None:
    answer = calls.post(f"{serving}{API}/runs", content=b"a" * (8 * MAX_HEAD))
    assert answer.status_code == 413


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    async def never() -> Message:
        await anyio.sleep_forever()
        raise AssertionError

    async def ask() -> object:
        return await read_body(SENT, never, seconds=0.05)

    assert anyio.run(ask) is None


def test_a_body_in_pieces_is_given_whole() -> None:
    pieces = [b"ab", b"", b"cde"]

    async def piecemeal() -> Message:
        body = pieces.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(pieces)}

    async def ask() -> Message:
        whole = await read_body(SENT, piecemeal)
        assert whole
        return await whole()

    assert anyio.run(ask) == {"type": "http.request", "body": b"abcde"}


def test_who_goes_away_half_way_is_not_waited_for() -> None:
    came: list[Message] = [{"type": "http.request", "body": b"ab", "more_body": True}, {"type": "http.disconnect"}]

    async def gone() -> Message:
        return came.pop(0)

    async def ask() -> object:
        return await read_body(SENT, gone)

    assert anyio.run(ask) is None


@pytest.mark.parametrize("length", ["", "x", "-1", "65537", "9" * 40, "\u0665"])
def test_a_body_without_a_length_or_too_large_is_left_to_who_refuses_it(length: str) -> None:
    async def unread() -> Message:
        raise AssertionError

    async def ask() -> object:
        scope = {"type": "http", "headers": [(b"content-length", length.encode("utf-8"))] if length else []}
        return await read_body(scope, unread)

    assert anyio.run(ask) is unread


def test_a_method_that_nobody_knows_is_refused_at_once(serving: str) -> None:
    """By uvicorn or by the application, in whose words does not matter: nothing hangs and nothing is taken for it."""
    host, _, port = serving.removeprefix("http://").partition(":")
    for method, status in (("FOO", 400), ("PROPFIND", 405)):
        with socket.create_connection((host, int(port)), timeout=60) as connection:
            connection.sendall(f"{method} {API}/runs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            answer = b"".join(iter(lambda: connection.recv(65_536), b""))
        assert answer.startswith(f"HTTP/1.1 {status} ".encode())


def test_a_key_begets_no_further_contributors_past_the_limit(tmp_path: Path) -> None:
    service = a_service(tmp_path)
    ask = Client(service)
    made = [ask(f"{API}/contributors", "POST", json={"handle": f"base-{number}"}) for number in range(6)]
    assert [answer.status_code for answer in made] == [201] * 5 + [429]
    for answer in made[:5]:
        key = {"Authorization": f"Bearer {answer.json()['api_key']}"}
        assert ask(f"{API}/contributors", "POST", json={"handle": "chain"}, headers=key).status_code == 429
    other = Client(service, "198.51.100.7")
    assert other(f"{API}/contributors", "POST", json={"handle": "chain"}).status_code == 201
    service.close()


def test_allow_names_only_what_an_address_takes(tmp_path: Path) -> None:
    service = a_service(tmp_path)
    ask = Client(service)
    paths = ("/runs", "/contributors", "/submissions")
    allowed = [ask(f"{API}{path}", "OPTIONS").headers["allow"] for path in paths]
    assert allowed == ["GET, HEAD, OPTIONS, POST", "POST, OPTIONS", "POST, OPTIONS"]
    response = ask(f"{API}/contributors")
    assert (response.status_code, response.headers["allow"]) == (405, "POST, OPTIONS")
    assert re.search("method", response.json()["title"].lower())
    service.close()
