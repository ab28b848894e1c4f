"""How many playbooks a second are read over MCP, and how long a client waits for a server on stdio.

`python -m benchmarks.mcp [--short] [--count N] [--rounds N] [--seconds S]`; it ends with 1 when a call failed.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from benchmarks import harness
from benchmarks.corpus import write_corpus
from benchmarks.harness import PYTHON, ROOT, timed, verdict

CLIENTS = 8
CALLS_A_SECOND = 500
READY_SECONDS = 1.5
BOOKS = 1_000
"""So many different playbooks are asked for, in turns."""

ERAS = ("2026-07-28", "2025-11-25")
ABOUT = {"name": "benchmark", "version": "1"}
META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": ERAS[0],
    "io.modelcontextprotocol/clientInfo": ABOUT,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def main() -> None:
    """Measure and print."""
    short = {"count": 200, "rounds": 2, "seconds": 1.0}
    asked = harness.options(__doc__, short=short, count=10_000, rounds=5, seconds=5.0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        content = write_corpus(folder / "content", asked.count)
        build = [*PYTHON, "cli", "build", f"--content={content}", f"--out={folder / 'site'}"]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
        slugs = sorted(path.stem for path in content.glob("playbooks/*.yaml"))[:BOOKS]
        served = [*PYTHON, "cli", "mcp", f"--out={folder / 'site'}", f"--var={folder / 'var'}"]
        sound = calls(served, folder, slugs, asked.rounds, asked.seconds)
        starts = [started(served, slugs[0]) for _ in range(max(3, asked.rounds))]
    ready, search, report = (statistics.median(times) for times in zip(*starts, strict=True))
    harness.table(["stdio", "ready s", "first search s", "first report s"], [["median", ready, search, report]])
    verdict(f"ready after at most {READY_SECONDS} s", met=ready <= READY_SECONDS)
    sys.exit(not sound)


def calls(served: list[str], folder: Path, slugs: list[str], rounds: int, seconds: float) -> bool:
    """Calls of `get_playbook` over HTTP, in both eras of the protocol; whether all were good."""
    port = harness.free_port()

    def load(era: str, seconds: float) -> harness.Load:
        return harness.load(port, [call(port, era, slug) for slug in slugs], seconds, CLIENTS)

    with harness.running([*served, "--http", f"--port={port}"], port, folder):
        for era in ERAS:
            see(port, era, slugs[0])
        loads = {era: partial(load, era) for era in ERAS}
        found = harness.under_load(f"get_playbook, {CLIENTS} clients", loads, rounds, seconds)
    for era, one in found.items():
        verdict(f"{era}: at least {CALLS_A_SECOND} calls/s", met=one.rate >= CALLS_A_SECOND)
    return not any(one.failed for one in found.values())


def call(port: int, era: str, slug: str) -> bytes:
    """The bytes of one call."""
    params: dict[str, Any] = {"name": "get_playbook", "arguments": {"slug": slug}}
    headers = {"Accept": "application/json, text/event-stream", "MCP_Protocol_Version": era}
    if era == ERAS[0]:
        params["_meta"] = META
        headers |= {"Mcp_Method": "tools/call", "Mcp_Name": "get_playbook"}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    return harness.request("POST", port, "/mcp", body, Content_Type="application/json", **headers)


def see(port: int, era: str, slug: str) -> None:
    """See that what is counted is a playbook, not an error with the status of a success."""
    head, _, body = call(port, era, slug).partition(b"\r\n\r\n")
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("POST", "/mcp", body, dict(line.split(": ", 1) for line in head.decode().splitlines()[1:]))
    result = json.loads(connection.getresponse().read())["result"]
    connection.close()
    if result["structuredContent"].get("slug") != slug:
        raise SystemExit(f"get_playbook was answered {result}")


def started(command: list[str], slug: str) -> tuple[float, float, float]:
    """Seconds until a server on stdio answers first, then its first search and report, which load something."""
    hello = {"protocolVersion": ERAS[1], "capabilities": {}, "clientInfo": ABOUT}
    tools = {"search_playbooks": {"q": "fix flaky tests"}}
    tools["report_run"] = {"playbook": slug, "agent": "benchmark", "outcome": "worked"}
    began = time.perf_counter()
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, bufsize=1, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        ask(process, "initialize", hello)
        ready = time.perf_counter() - began
        search, report = (
            timed(ask, process, "tools/call", {"name": name, "arguments": sent}) for name, sent in tools.items()
        )
        process.communicate()
    return ready, search, report


def ask(process: subprocess.Popen[str], method: str, params: dict[str, Any]) -> None:
    """One request, and its answer, which must be no error."""
    assert process.stdin is not None and process.stdout is not None  # noqa: PT018 - they were asked for
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
    answer = json.loads(process.stdout.readline())
    if "error" in answer or answer["result"].get("isError"):
        raise SystemExit(f"{method} was answered {answer}")


if __name__ == "__main__":
    main()
