"""What 100 hostile connections of one address do to the writes of others: each flood beside a quiet time, as ratios.

`python -m benchmarks.floods [--short] [--rounds N] [--seconds S] [--connections C] [--budgets 0,1]`: before `playbooks
serve`, and before nginx with gunicorn, PostgreSQL and Redis behind. With `--budgets 0,1` each is measured without
budgets too, in the same run. It ends with 1 when a write of others failed where there are budgets; that their p99 at
most doubled is said, and is noise in a short run. The hostile client runs at the lowest priority, for it stands for
another machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.harness import PEERS, options, quantile, request, table, verdict
from build.views.routes import API
from tests.builders import BOOK
from tests.faults.http_client import RUN
from tests.faults.http_server import playbooks_serve
from tests.front import deployed
from tests.rich import write_rich_content
from writeapi.settings import CONTRIBUTOR_LIMITS, WRITE_LIMITS

TIMES = 2.0
WRITERS, PAUSE = 4, 0.02
LIMITS = {"write_limits": WRITE_LIMITS, "contributor_limits": CONTRIBUTOR_LIMITS, "budgets": "1"}
_WORDS = (
    "flaky test fails nightly review pull request migrate database schema slow query index cache write release notes"
    " deploy service monitor alert explain legacy code refactor module typed api"
)
_LONG = " ".join(f"{word}{number % 7}. {word}" for number, word in enumerate((_WORDS + " ").split() * 40))[:8_000]
_CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "search_playbooks", "arguments": {"q": _WORDS}},
}


def floods(port: int) -> dict[str, bytes]:
    """The request of each flood."""
    ask = partial(request, "GET", port)
    send = partial(request, "POST", port, Content_Type="application/json")
    digits = {"title": "Many digits", "body": ("4" * 60 + " ") * 1_000}
    mcp = {"Accept": "application/json, text/event-stream", "MCP_Protocol_Version": "2025-06-18"}
    return {
        "readyz": ask(f"{API}/readyz"),
        "search, 26 words": ask(f"{API}/search?q={_WORDS.replace(' ', '+')}"),
        "search, 8,000 characters": ask(f"{API}/search?q={_LONG.replace(' ', '+')}"),
        "POST search": send(f"{API}/search", json.dumps({"q": _LONG}).encode()),
        "find": send(f"{API}/find", json.dumps({"task": _LONG}).encode()),
        "unknown submissions": ask(f"{API}/submissions/sub_{'a' * 26}"),
        "MCP calls": send("/mcp", json.dumps(_CALL).encode(), **mcp),
        "static pages": ask(f"/playbooks/{BOOK}/"),
        "64 KiB of digits": send(f"{API}/submissions", json.dumps(digits).encode()),
        "writes": send(f"{API}/runs", json.dumps(RUN).encode()),
    }


def main() -> None:
    """Measure and print."""
    asked = options(
        __doc__, short={"rounds": 1, "seconds": 1.0}, rounds=3, seconds=4.0, connections=100, only="", budgets="1"
    )
    well = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # nginx's workers read the site in it
        content = write_rich_content(folder)
        sizes = asked.rounds, asked.seconds, asked.connections
        for times in asked.budgets.split(","):
            limits: dict[str, Any] = {**LIMITS, "budgets": times}
            place = folder / times
            place.mkdir()
            if asked.only in ("", "serve"):
                with playbooks_serve(content, place / "serve", **limits) as served:
                    well &= measured(f"serve, budgets {times}", served.address.port, *sizes) or times == "0"
            if asked.only in ("", "nginx"):
                with deployed(content, place / "front", **limits) as stack:
                    well &= measured(f"nginx, budgets {times}", stack.nginx.address.port, *sizes) or times == "0"
    sys.exit(not well)


def measured(name: str, port: int, rounds: int, seconds: float, connections: int) -> bool:
    """Measure one server and print its table; whether its writers were kept from nothing."""
    kinds, addresses = floods(port), others()
    quiet: dict[str, list[float]] = {kind: [] for kind in kinds}
    found: dict[str, list[float]] = {kind: [] for kind in kinds}
    failed = dict.fromkeys(kinds, 0)
    writes(port, 1.0, addresses)
    for _ in range(rounds):
        for kind, sent in kinds.items():
            quiet[kind] += writes(port, seconds, addresses)[0]
            with flooding(port, sent, seconds + 1.5, connections):
                took, wrong = writes(port, seconds, addresses)
            found[kind] += took
            failed[kind] += wrong
            time.sleep(0.5)
    rows, slow = [], list[str]()
    for kind, took in found.items():
        before, at = ([quantile(each, share) * 1000 for share in (0.5, 0.99)] for each in (quiet[kind], took))
        ratios = [one / other for one, other in zip(at, before, strict=True)]
        rows.append([kind, *before, *at, *ratios, failed[kind]])
        slow += [kind] if ratios[1] > TIMES else []
    head = ["quiet p50 ms", "p99 ms", "flooded p50 ms", "p99 ms", "p50 x", "p99 x", "failed"]
    table([f"{name}: flood of", *head], rows)
    well = not any(failed.values())
    verdict(f"p99 at most doubled{', not by ' if slow else ''}{', '.join(slow)}", met=not slow)
    return verdict("no write of others failed", met=well)


def others() -> Iterator[str]:
    """Addresses of loopback, one for each other caller."""
    return (f"127.{1 + number // 60_000}.{number // 250 % 240}.{1 + number % 250}" for number in count())


def writes(port: int, seconds: float, addresses: Iterator[str]) -> tuple[list[float], int]:
    """How long the writes of other callers took, each caller sending a few, and how many failed."""
    end, body = time.monotonic() + seconds, json.dumps(RUN).encode()

    def one(_: int) -> tuple[list[float], int]:
        took, wrong = list[float](), 0
        while time.monotonic() < end:
            connection = HTTPConnection("127.0.0.1", port, timeout=120, source_address=(next(addresses), 0))
            for _ in range(5):
                began = time.perf_counter()
                try:
                    connection.request("POST", f"{API}/runs", body, {"Content-Type": "application/json"})
                    answer = connection.getresponse()
                    answer.read()
                    wrong += answer.status != 201
                except (OSError, HTTPException):
                    connection.close()
                    wrong += 1
                took.append(time.perf_counter() - began)
                time.sleep(PAUSE)
            connection.close()
        return took, wrong

    with ThreadPoolExecutor(WRITERS) as crew:
        every = list(crew.map(one, range(WRITERS)))
    return [time for took, _ in every for time in took], sum(wrong for _, wrong in every)


@contextmanager
def flooding(port: int, sent: bytes, seconds: float, connections: int) -> Iterator[None]:
    """For as long as it lasts, one address sends the same again and again on so many connections."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(sent)
        file.flush()
        command = ["nice", "-n", "19", "wrk", "-t1", f"-c{connections}", f"-d{round(seconds + 0.5)}s", "--timeout"]
        command += ["10s", "-s", str(PEERS / "requests.lua"), f"http://127.0.0.1:{port}", "--", file.name, "0"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            time.sleep(0.7)
            yield
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
