"""`GET /search` of a `playbooks serve` process under an open loop: requests go out by the clock, whoever waits."""

from __future__ import annotations

import asyncio
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.servers import free_port, running

RATE = 200
P99_SECONDS = 0.015


class _Pool:
    """Connections that stay open; another one is made when all are in use."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def get(self, path: str) -> tuple[int, bytes]:
        """The status and the body of one answer. One that the server has ended while it was idle is made anew."""
        while self._free:
            reader, writer = self._free.pop()
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                return await self._ask(reader, writer, path)
        return await self._ask(*await asyncio.open_connection("127.0.0.1", self._port), path)

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> tuple[int, bytes]:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        body = await reader.readexactly(int(head.partition(b"content-length:")[2].partition(b"\r\n")[0]))
        self._free.append((reader, writer))
        return int(head[9:12]), body

    def close(self) -> None:
        """End all of them."""
        for _, writer in self._free:
            writer.close()


def served(index: Path, content: Path, folder: Path, asked: Sequence[str], seconds: float) -> bool:
    """Print how long answers took, for both profiles; whether all were good and p99 is within the target.

    The service builds `content`; then `index`, of a build that knows more documents, takes the place of its index, and
    the service takes it into use as after any build.
    """
    port = free_port()
    command = [sys.executable, "-m", "cli", "serve", "--port", str(port), "--content", str(content)]
    command += ["--out", str(folder / "site"), "--var", str(folder / "var")]
    with running(command, port, folder / "log", {}, Path.cwd()):
        return asyncio.run(_served(port, index, folder, asked, seconds))


async def _served(port: int, index: Path, folder: Path, asked: Sequence[str], seconds: float) -> bool:
    pool, sound = _Pool(port), True
    await _until_it_answers(pool, "test", 0)
    _put(index.resolve(), (folder / "site").resolve().parent)
    await _until_it_answers(pool, asked[0], 1)
    for profile in ("best", "fast"):
        paths = [f"/api/v1/search?{urlencode({'q': text, 'profile': profile})}" for text in asked]
        await _loop(pool, paths, 1.0)
        times, failed = await _loop(pool, paths, seconds)
        p50, p99 = (sorted(times)[int(len(times) * share)] for share in (0.5, 0.99))
        met = p99 <= P99_SECONDS and not failed
        sound &= met
        print(
            f"GET /search?profile={profile}, {RATE} a second for {seconds:g} s: p50 {p50 * 1000:.1f} ms,"
            f" p99 {p99 * 1000:.1f} ms, {failed} failed;"
            f" p99 at most {P99_SECONDS * 1000:g} ms: {'met' if met else 'missed'}"
        )
    pool.close()
    return sound


async def _loop(pool: _Pool, paths: Sequence[str], seconds: float) -> tuple[list[float], int]:
    """Seconds from when each request was due to its answer, and how many answers were not good."""
    began = time.perf_counter()

    async def one(number: int) -> tuple[float, int]:
        due = began + number / RATE
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        status, _ = await pool.get(paths[number % len(paths)])
        return time.perf_counter() - due, status

    told = await asyncio.gather(*(one(number) for number in range(int(seconds * RATE))))
    return [took for took, _ in told], sum(status != 200 for _, status in told)


async def _until_it_answers(pool: _Pool, text: str, least: int) -> None:
    """Wait until a question finds so many; the service builds first, and reads another index before it uses it."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        status, body = await pool.get(f"/api/v1/search?{urlencode({'q': text})}")
        if status == 200 and int(body.partition(b'"total":')[2].partition(b",")[0]) >= least:
            return
        await asyncio.sleep(0.2)
    raise TimeoutError(f"the service did not find {text!r} in two minutes")


def _put(index: Path, generation: Path) -> None:
    """Move a whole index into the place of a build's, as a build does it."""
    shutil.copytree(index, generation / "index-1000")
    turn = generation / "index.new"
    turn.symlink_to("index-1000")
    turn.replace(generation / "index")
