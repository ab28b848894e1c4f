"""A bounded load of POST requests over kept connections, light enough to measure from beside the server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

CONNECTIONS = 16
GRACE = 10.0
"""After so many seconds past the end, an answer that is still awaited counts as a failure."""


@dataclass(slots=True)
class Round:
    """What one round brought: seconds until each good answer, what else came, when it began and last had an answer."""

    began: float
    ended: float
    latencies: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Good answers per second."""
        return len(self.latencies) / (self.ended - self.began) if self.latencies else 0.0


def post_request(port: int, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    """The bytes of a POST of JSON to this machine."""
    told = {"Host": f"127.0.0.1:{port}", "Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in {**told, **headers}.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def load(port: int, requests: Iterator[bytes], good: int, seconds: float, connections: int = CONNECTIONS) -> Round:
    """Send `requests`, one after the other on each connection, until `seconds` are over; every answer is awaited.

    `good` is the status of a success. A connection that the server ends is made anew.
    """
    return asyncio.run(_load(port, requests, good, seconds, connections))


async def _load(port: int, requests: Iterator[bytes], good: int, seconds: float, connections: int) -> Round:
    began = time.perf_counter()
    told, until = Round(began, began), began + seconds
    senders = [asyncio.create_task(_send(port, requests, good, until, told)) for _ in range(connections)]
    _, late = await asyncio.wait(senders, timeout=seconds + GRACE)
    for sender in late:
        sender.cancel()
    told.failures += ["no answer"] * len(late)
    await asyncio.gather(*senders, return_exceptions=True)
    return told


async def _send(port: int, requests: Iterator[bytes], good: int, until: float, told: Round) -> None:
    """One connection after the other, each until the server ends it or the time is over."""
    loop = asyncio.get_running_loop()
    while time.perf_counter() < until:
        try:
            transport, protocol = await loop.create_connection(_Sender, "127.0.0.1", port)
        except OSError as error:
            told.failures.append(type(error).__name__)
            await asyncio.sleep(0.05)
            continue
        try:
            await _ask_in_turn(protocol, requests, good, until, told)
        finally:
            transport.close()


async def _ask_in_turn(protocol: _Sender, requests: Iterator[bytes], good: int, until: float, told: Round) -> None:
    while time.perf_counter() < until:
        began = time.perf_counter()
        try:
            status, keep = await protocol.ask(next(requests))
        except ConnectionError as error:
            told.failures.append(type(error).__name__)
            return
        if status == good:
            told.ended = time.perf_counter()
            told.latencies.append(told.ended - began)
        else:
            told.failures.append(str(status))
        if not keep:
            return


class _Sender(asyncio.Protocol):
    """One connection: the next request is sent when the answer before it was read whole."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport
        self._answer: asyncio.Future[tuple[int, bool]] | None = None
        self._read = b""
        self._lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called once it is open."""
        self._transport = cast("asyncio.Transport", transport)

    def ask(self, request: bytes) -> asyncio.Future[tuple[int, bool]]:
        """Send one request; its status, and whether the connection may be used again."""
        self._answer = asyncio.get_running_loop().create_future()
        if self._lost:
            self._answer.set_exception(ConnectionResetError())
        else:
            self._transport.write(request)
        return self._answer

    def data_received(self, data: bytes) -> None:
        """Called with whatever has come."""
        self._read += data
        head, gap, body = self._read.partition(b"\r\n\r\n")
        if not gap or self._answer is None or self._answer.done():
            return
        lowered = head.lower()
        if b"transfer-encoding: chunked" in lowered:
            whole = body.endswith(b"0\r\n\r\n")
        else:
            whole = len(body) >= int(lowered.partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
        if whole:
            self._read = b""
            self._answer.set_result((int(head[9:12]), b"connection: close" not in lowered))

    def connection_lost(self, exc: Exception | None) -> None:
        """Called once it is closed, by whichever side."""
        self._lost = True
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError())
