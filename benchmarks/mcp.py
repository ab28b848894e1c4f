"""How many playbooks a second are read over MCP, and how long a client waits for a server on stdio.

`python -m benchmarks.mcp [--short] [--count N] [--rounds N] [--seconds S]`
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from benchmarks.build import command
from benchmarks.corpus import write_corpus
from benchmarks.load import Round, load, post_request
from benchmarks.servers import free_port, running
from benchmarks.usage import timed

PROJECT = Path(__file__).resolve().parents[1]
CLIENTS = 8
CALLS_A_SECOND = 500
READY_SECONDS = 1.5
WARM_SECONDS = 0.5
COMMAND = [sys.executable, "-W", "ignore", "-m", "cli", "mcp"]
VERSION = "io.modelcontextprotocol/protocolVersion"
MODERN: dict[str, Any] = {
    VERSION: "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
TASKS = 1_000
"""So many different playbooks are asked for, in turns."""


def main() -> None:
    """Measure and print; end with 1 when an answer was no playbook."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="200 playbooks, 2 rounds of 1 second.")
    parser.add_argument("--count", type=int, default=10_000, help="How many playbooks the library has.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="How long a round takes.")
    options = parser.parse_args()
    count, rounds, seconds = (200, 2, 1.0) if options.short else (options.count, options.rounds, options.seconds)
    busy = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        content = write_corpus(folder / "content", count)
        subprocess.run(command(content, folder / "site"), check=True, stdout=subprocess.DEVNULL)
        print(f"{count:,} playbooks; {os.cpu_count()} processors, load {busy:.1f} before")
        show_calls(folder, sorted(path.stem for path in content.glob("playbooks/*.yaml"))[:TASKS], rounds, seconds)
        show_starts(folder, max(3, rounds))


def show_calls(folder: Path, slugs: list[str], rounds: int, seconds: float) -> None:
    """Calls of `get_playbook` over HTTP, in both eras of the protocol."""
    port = free_port()
    served = [*COMMAND, "--http", "--port", str(port), "--out", str(folder / "site"), "--var", str(folder / "var")]
    with running(served, port, folder / "log", {}, PROJECT):
        for era in ("2026-07-28", "2025-11-25"):
            answer_of(port, era, slugs[0])
            requests = itertools.cycle([call_of(port, era, slug) for slug in slugs])
            load(port, requests, 200, WARM_SECONDS, CLIENTS)
            told = [load(port, requests, 200, seconds, CLIENTS) for _ in range(rounds)]
            show_round(f"get_playbook, {era}", told)


def call_of(port: int, era: str, slug: str) -> bytes:
    """The bytes of one call."""
    params: dict[str, Any] = {"name": "get_playbook", "arguments": {"slug": slug}}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": era}
    if era == MODERN[VERSION]:
        params["_meta"] = MODERN
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": "get_playbook"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return post_request(port, "/mcp", json.dumps(body).encode(), headers)


def answer_of(port: int, era: str, slug: str) -> None:
    """See that what is counted is a playbook, not an error with the status of a success."""
    head, _, body = call_of(port, era, slug).partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().splitlines()[1:])
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", "/mcp", body, headers)
    result = json.loads(connection.getresponse().read())["result"]
    connection.close()
    if result["structuredContent"].get("slug") != slug:
        raise SystemExit(f"get_playbook was answered {result}")


def show_round(name: str, told: list[Round]) -> None:
    """One line: calls a second, how long one takes, what failed."""
    rate = statistics.median(turn.rate for turn in told)
    ordered = sorted(latency for turn in told for latency in turn.latencies)
    p50, p99 = (ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.99)) if ordered else (0.0, 0.0)
    failed = sum(len(turn.failures) for turn in told)
    met = "met" if rate >= CALLS_A_SECOND else "missed"
    print(f"  {name:<26} {rate:7.0f} calls/s  p50 {p50:5.1f} ms  p99 {p99:5.1f} ms  {failed} failed")
    print(f"    at least {CALLS_A_SECOND} a second with {CLIENTS} clients: {met}")
    if failed:
        raise SystemExit(1)


def show_starts(folder: Path, rounds: int) -> None:
    """Seconds until a server on stdio answers its first request, then its first search, then its first report."""
    told = [started(folder) for _ in range(rounds)]
    ready, search, report = (statistics.median(row[place] for row in told) for place in range(3))
    met = "met" if ready <= READY_SECONDS else "missed"
    print(f"  stdio: ready after {ready:.2f} s, first search {search:.2f} s, first report {report:.2f} s")
    print(f"    ready after at most {READY_SECONDS} s: {met}")


def started(folder: Path) -> tuple[float, float, float]:
    """One start, and the first calls that load something."""
    command = [*COMMAND, "--out", str(folder / "site"), "--var", str(folder / "var")]
    slug = next((folder / "content/playbooks").iterdir()).stem
    run = {"playbook": slug, "agent": "benchmark", "outcome": "worked"}
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        ask(process, "initialize", HELLO)
        ready = time.perf_counter() - began
        seconds = [
            timed(lambda name=name, sent=sent: ask(process, "tools/call", {"name": name, "arguments": sent}))
            for name, sent in (("search_playbooks", {"q": "fix flaky tests"}), ("report_run", run))
        ]
        if process.stdin:
            process.stdin.close()
    return ready, seconds[0], seconds[1]


def ask(process: subprocess.Popen[bytes], method: str, params: dict[str, Any]) -> None:
    """One request, and its answer, which must be no error."""
    if process.stdin is None or process.stdout is None:
        raise SystemExit(1)
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    if "error" in answer or answer["result"].get("isError"):
        raise SystemExit(f"{method} was answered {answer}")


if __name__ == "__main__":
    main()
