"""A connection to uvicorn: every method reaches the application, and what is no HTTP is refused in the one shape."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from threading import Thread

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from server.commands import listen
from server.connection import config_of

HSTS = "max-age=1"


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Says the method, the path and the body."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await PlainTextResponse(f"{scope['method']} {scope['path']} {body.decode()}")(scope, receive, send)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    config = config_of(echo, HSTS)
    config.lifespan = "off"
    server, listener = uvicorn.Server(config), listen("127.0.0.1", 0)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join(60)


def told(port: int, *sent: str) -> list[str]:
    """The answers on one connection, the requests sent one after the other."""
    answers = []
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        for text in sent:
            connection.sendall(text.encode())
            answers.append(answer_on(connection))
    return answers


def whole(answer: str) -> bool:
    head, end, body = answer.partition("\r\n\r\n")
    length = re.search(r"^content-length: (\d+)", head, re.IGNORECASE | re.MULTILINE)
    return bool(end) and length is not None and len(body) == int(length[1])


def answer_on(connection: socket.socket) -> str:
    """One answer, whole."""
    got = ""
    while not whole(got):
        part = connection.recv(65_536).decode()
        assert part, got
        got += part
    return got


def asked(method: str, body: str = "", path: str = "/x") -> str:
    return f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n{body}"


@pytest.mark.parametrize("method", ["GET", "PROPFIND", "FOO", "get", "M-SEARCH!", "X" * 64])
def test_every_method_reaches_the_application(port: int, method: str) -> None:
    [answer] = told(port, asked(method, "a body"))
    assert answer.startswith("HTTP/1.1 200 ")
    assert answer.endswith(f"\r\n\r\n{method} /x a body")


def test_requests_on_one_connection_keep_their_own_methods(port: int) -> None:
    answers = told(port, asked("FOO"), asked("POST", "FOO /y HTTP/1.1\r\n\r\n"), asked("BAR", "x"), asked("GET"))
    bodies = [answer.partition("\r\n\r\n")[2] for answer in answers]
    assert bodies == ["FOO /x ", "POST /x FOO /y HTTP/1.1\r\n\r\n", "BAR /x x", "GET /x "]


def test_a_body_that_looks_like_a_request_is_a_body(port: int) -> None:
    head = "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        for part in (head, "FO", "O /y"):
            connection.sendall(part.encode())
            time.sleep(0.05)
        assert answer_on(connection).endswith("POST /x FOO /y")


@pytest.mark.parametrize("sent", ["rubbish\r\n\r\n", "FOO /x HTTP/9.9\r\n\r\n", "F(O /x HTTP/1.1\r\n\r\n"])
def test_what_is_no_http_is_refused_in_the_one_shape(port: int, sent: str) -> None:
    [answer] = told(port, sent)
    head, _, body = answer.partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\n")
    for line in ("Connection: close", "Cache-Control: no-store", f"Strict-Transport-Security: {HSTS}"):
        assert f"\r\n{line}\r\n" in f"{head}\r\n"
    assert json.loads(body) == {
        "type": "about:blank",
        "title": "Bad request",
        "status": 400,
        "detail": "The request is not written as HTTP is.",
    }
