"""Slow clients: others are answered as if they were not there, and the slow ones are let go."""

from __future__ import annotations

import socket
import statistics
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from build.views.routes import API
from tests.builders import BOOK
from tests.faults.http_client import RUN, Address, post, request
from tests.front import Stack
from tests.lengths import many
from tests.nginx import needs_nginx
from tests.postgres import needs_postgres
from tests.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.system, needs_nginx, needs_postgres]
MANY = many(100, 600)
HEADERS = f"POST {API}/runs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
BODY = HEADERS + b"Content-Length: 500\r\n\r\n{"


@contextmanager
def slow_clients(address: Address, many: int) -> Iterator[list[socket.socket]]:
    """So many connections, half of them in the middle of their headers and half in their bodies; 50 an address."""
    with ExitStack() as keep:
        clients = []
        for number in range(many):
            source = (f"127.0.1.{1 + number // 50}", 0)
            client = keep.enter_context(socket.create_connection(address, timeout=60, source_address=source))
            client.sendall(HEADERS if number % 2 else BODY)
            clients.append(client)
        yield clients


def test_others_are_answered_at_once(stack: Stack) -> None:
    address = stack.nginx.address
    with slow_clients(address, MANY):
        waited: dict[str, list[float]] = {"a file": [], "a search": [], "a write": []}
        for _ in range(15):
            waited["a file"].append(request(address, "GET", f"{API}/playbooks/{BOOK}").seconds)
            waited["a search"].append(request(address, "GET", f"{API}/search?q=flaky").seconds)
            sent = post(address, "/runs", RUN)
            assert sent.status == 201
            waited["a write"].append(sent.seconds)
    for what, seconds in waited.items():
        assert statistics.median(seconds) < 5, (what, seconds)  # slow ones are let go after ten


def test_who_sends_nothing_more_is_let_go(stack: Stack) -> None:
    with slow_clients(stack.nginx.address, 2) as clients:
        for client in clients:
            client.settimeout(60)
            try:
                said = client.recv(65_536)
            except ConnectionResetError:
                continue  # its memory is freed at once
            assert said == b"" or said.startswith(b"HTTP/1.1 408 "), said


PLACES = (f"{API}/playbooks", f"{API}/search?q=flaky", "/search/?q=flaky", "/submissions/?id=sub_a", "/mcp", "/review/")


def test_one_address_has_so_many_connections_and_is_told_so(stack: Stack) -> None:
    answers = until(lambda: _in_a_crowd(stack.nginx.address), "429 at every place")
    assert answers.keys() == set(PLACES)
    assert all(b"too many requests or connections" in answer for answer in answers.values()), answers
    assert [path for path, answer in answers.items() if b"#rate-limited" not in answer] == ["/mcp"]


def _in_a_crowd(address: Address) -> dict[str, bytes]:
    """What an address with a hundred connections is answered; nothing where a busy machine let some go meanwhile."""
    with ExitStack() as keep:
        for _ in range(100):
            client = keep.enter_context(socket.create_connection(address, source_address=("127.0.9.9", 0)))
            client.sendall(BODY)
        answers = {path: _asked(address, path) for path in PLACES}
        assert request(address, "GET", f"{API}/playbooks").status == 200, "another address is answered"
    return answers if all(answer.startswith(b"HTTP/1.1 429 ") for answer in answers.values()) else {}


def _asked(address: Address, path: str) -> bytes:
    with socket.create_connection(address, timeout=60, source_address=("127.0.9.9", 0)) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        return b"".join(iter(lambda: client.recv(65_536), b""))
