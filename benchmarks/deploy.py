"""How fast nginx serves a playbook's JSON by the generated configuration, beside a bare file of the same size.

`python -m benchmarks.deploy [--short] [--rounds N] [--seconds S]`: one nginx with two workers, by turns; needs wrk.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from build.views.routes import API
from server.deploy.commands import of_site
from tests.builders import BOOK
from tests.nginx import NGINX, free_port, nginx
from tests.service import a_library

SHARE = 0.9
CONNECTIONS = 32


def main() -> None:
    """Measure and print; end with 1 when the share of the bare rate is missed in the long form."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="2 rounds of 1 second: whether it still works.")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=int, default=4, help="How long a round of each takes.")
    options = parser.parse_args()
    if not (NGINX and shutil.which("wrk")):
        sys.exit("nginx or wrk is not installed (make system): nothing was measured")
    rounds, seconds = (2, 1) if options.short else (options.rounds, options.seconds)
    busy = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        ours, bare, size = measured(Path(name), rounds, seconds)
    shares = [one / other for one, other in zip(ours, bare, strict=True)]
    share = statistics.median(shares)
    print(f"{CONNECTIONS} connections, {rounds} rounds of {seconds} s by turns, 2 workers, load {busy:.1f} before")
    print(f"a playbook's JSON     {statistics.median(ours):>9,.0f} a second ({size:,} bytes)")
    print(f"a bare file           {statistics.median(bare):>9,.0f} a second")
    print(f"share                 {share:>9.1%} (lowest {min(shares):.1%}, highest {max(shares):.1%}; aim {SHARE:.0%})")
    sys.exit(0 if options.short or share >= SHARE else 1)


def measured(folder: Path, rounds: int, seconds: int) -> tuple[list[float], list[float], int]:
    """The requests a second of each, round by round, and the size of the answer in bytes."""
    _, out = a_library(folder / "library")
    body = (out / f"api/v1/playbooks/{BOOK}.json").read_bytes()
    bare = folder / "bare"
    bare.mkdir()
    (bare / "file.json").write_bytes(body)
    with free_port() as port:
        second = f"server {{ listen 127.0.0.1:{port}; root {bare}; sendfile on; tcp_nopush on; access_log off; }}"
    told = replace(of_site(out, None), root=str(out), api=(), mcp=())
    with nginx(told, folder / "nginx", further=second, logged=False) as served:
        addresses = (f"{served.url}{API}/playbooks/{BOOK}", f"http://127.0.0.1:{port}/file.json")
        for address in addresses:
            rate(address, 1)
        turns = [[rate(address, seconds) for address in addresses] for _ in range(rounds)]
    return [turn[0] for turn in turns], [turn[1] for turn in turns], len(body)


def rate(address: str, seconds: int) -> float:
    """Requests a second, every one of them answered with 200."""
    command = ["wrk", "-t2", f"-c{CONNECTIONS}", f"-d{seconds}s", address]
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds + 60).stdout
    found = re.search(r"Requests/sec:\s+([\d.]+)", said)
    if found is None or "Non-2xx" in said or "Socket errors" in said:
        sys.exit(said)
    return float(found[1])


if __name__ == "__main__":
    main()
