"""A mixed load for long: reads, searches and writes through nginx, with slow clients hanging on; is memory flat?

`python -m benchmarks.soak [--minutes M] [--slow N] [--pause S]`: gunicorn with two workers, PostgreSQL and Redis behind
nginx, all on this machine. S is the seconds between two requests of one client: a load, not a flood, so that it can go
on beside other work. It ends with 1 when anything was answered wrongly, or when memory grew. Needs the system parts.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from benchmarks.harness import Load, load, memory, options, request, table, verdict
from build.views.routes import API
from tests.builders import BOOK
from tests.deploy.test_slow import slow_clients
from tests.faults.http_client import RUN, Address
from tests.faults.http_server import rows
from tests.front import deployed
from tests.rich import write_rich_content

READS = (f"{API}/playbooks/{BOOK}", f"{API}/search?q=flaky", "/", f"/playbooks/{BOOK}/", f"{API}/runs")
CONNECTIONS = {"reads": 4, "writes": 2}
GROWTH = 1.05
SLACK = 8.0
"""Memory may be a twentieth and 8 MiB more in the last quarter than in the second."""


def main() -> None:
    """Measure and print."""
    asked = options(__doc__, short={"minutes": 0.2, "slow": 20}, minutes=60.0, slow=600, pause=0.02)
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)  # nginx's workers read the site in it
        well = soak(Path(name), asked.minutes * 60, asked.slow, asked.pause)
    sys.exit(not well)


def soak(folder: Path, seconds: float, slow: int, pause: float) -> bool:
    """Run it and print what came of it; whether all was well."""
    over = threading.Event()
    with (
        deployed(write_rich_content(folder), folder, write_limits="1000000000 per hour") as stack,
        ThreadPoolExecutor() as crew,
    ):
        port, body = stack.nginx.address.port, json.dumps(RUN).encode()
        sent = {
            "reads": [request("GET", port, path) for path in READS],
            "writes": [request("POST", port, f"{API}/runs", body, Content_Type="application/json")],
        }
        loads: dict[str, Future[Load]] = {
            kind: crew.submit(load, port, each, seconds, CONNECTIONS[kind], pause=pause) for kind, each in sent.items()
        }
        crew.submit(hang_on, stack.nginx.address, slow, over)
        processes = {"gunicorn": stack.api.process.pid, "mcp": stack.mcp.process.pid, "nginx": stack.nginx.process.pid}
        samples: dict[str, list[float]] = {name: [] for name in processes}
        while not all(future.done() for future in loads.values()):
            time.sleep(max(1.0, seconds / 500))
            for name, pid in processes.items():
                samples[name].append(memory(pid))
        over.set()
        found = {kind: future.result() for kind, future in loads.items()}
        stored = int(rows(stack.database_url, "SELECT count(*) FROM runs")[0][0])
    return report(found, samples, stored)


def hang_on(address: Address, many: int, over: threading.Event) -> None:
    """So many slow clients, new ones when the old ones were let go."""
    while not over.is_set():
        try:
            with slow_clients(address, many):
                over.wait(12)
        except OSError:
            over.wait(1)


def report(found: dict[str, Load], samples: dict[str, list[float]], stored: int) -> bool:
    """Print the figures; whether nothing was wrong, everything acknowledged is stored, and memory is flat."""
    table(
        ["through nginx", "answers", "a second", "p50 ms", "p99 ms", "failed"],
        ([kind, one.good, one.rate, one.p50 * 1000, one.p99 * 1000, one.failed] for kind, one in found.items()),
    )
    under_way = stored - found["writes"].good  # some may be cut off at the end
    well = verdict("no answer was wrong", met=not any(one.failed for one in found.values()))
    told = f"{found['writes'].good:,} writes acknowledged, {stored:,} stored"
    well &= verdict(told, met=0 <= under_way <= CONNECTIONS["writes"])
    for name, each in samples.items():
        quarter = max(1, len(each) // 4)
        before, after = (statistics.median(part) for part in (each[quarter : 2 * quarter] or each, each[-quarter:]))
        told = f"{name}: {before:.1f} MiB in the second quarter, {after:.1f} in the last"
        well &= verdict(told, met=after <= before * GROWTH + SLACK)
    return well


if __name__ == "__main__":
    main()
