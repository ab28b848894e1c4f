"""A plain client over real sockets: quick enough for floods, and one that sends bytes as they are."""

from __future__ import annotations

import http.client
import itertools
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from build.views.routes import API
from tests.builders import BOOK

R_ = TypeVar("R_")
RUN: dict[str, Any] = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}


class Address(NamedTuple):
    """Where a server listens."""

    host: str
    port: int


@dataclass(frozen=True)
class Answer:
    """What came back, and after how many seconds; header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """One connection, kept open, made anew when it was lost; for one thread."""

    def __init__(self, address: Address, timeout: float = 30) -> None:
        self._connection = http.client.HTTPConnection(*address, timeout=timeout)

    def __call__(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """One request. Raises `OSError` when there is no whole answer."""
        start = time.monotonic()
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise ConnectionError(str(error)) from error
        told = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, told, content, time.monotonic() - start)

    def post(self, path: str, body: Any, *, key: str = "", once: str = "", **headers: str) -> Answer:
        """A write below the API; a key or token is the bearer, `once` the idempotency key."""
        told = {"Content-Type": "application/json", **headers}
        told |= {"Authorization": f"Bearer {key}"} if key else {}
        told |= {"Idempotency-Key": once} if once else {}
        return self("POST", f"{API}{path}", json.dumps(body).encode(), **told)

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()


def request(address: Address, method: str, path: str, *, timeout: float = 30) -> Answer:
    """One request on a connection of its own."""
    client = Client(address, timeout)
    try:
        return client(method, path)
    finally:
        client.close()


def post(address: Address, path: str, body: Any, **options: str) -> Answer:
    """One write on a connection of its own."""
    client = Client(address)
    try:
        return client.post(path, body, **options)
    finally:
        client.close()


def together(times: int, do: Callable[[int], R_]) -> list[R_]:
    """What so many threads get that all begin at the same moment."""
    barrier = threading.Barrier(times)

    def begin(number: int) -> R_:
        barrier.wait(60)
        return do(number)

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(begin, range(times)))


def flood(address: Address, bodies: Sequence[tuple[str, Any]], connections: int = 64, **headers: str) -> list[Answer]:
    """The answers to so many writes, over that many connections that stay open."""
    answers: list[Answer | None] = [None] * len(bodies)
    numbers = itertools.count()

    def send_some(_: int) -> None:
        client = Client(address, 120)
        while (number := next(numbers)) < len(bodies):
            answers[number] = client.post(*bodies[number], **headers)
        client.close()

    with ThreadPoolExecutor(connections) as pool:
        list(pool.map(send_some, range(connections)))
    return [answer for answer in answers if answer is not None]


def raw(address: Address, sent: bytes, *, timeout: float = 20, ends: bool = False) -> tuple[int, bytes] | None:
    """The status and body that some bytes are answered with; None when the connection ends without an answer.

    With `ends`, the sender says that nothing more comes.
    """
    with socket.create_connection(address, timeout=timeout) as connection:
        with suppress(ConnectionError):
            connection.sendall(sent)
            if ends:
                connection.shutdown(socket.SHUT_WR)
        got = b""
        with suppress(ConnectionError):
            while not _whole(got) and (part := connection.recv(65_536)):
                got += part
    head, _, body = got.partition(b"\r\n\r\n")
    return (int(head.split()[1]), body) if head.startswith(b"HTTP/1.") else None


def _whole(got: bytes) -> bool:
    """Whether an answer is there up to the length that it gives."""
    head, parted, body = got.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(parted and length and len(body) >= int(length[1]))
