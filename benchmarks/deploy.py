"""How fast nginx serves a playbook's JSON by the generated configuration, beside a bare file of the same size.

`python -m benchmarks.deploy [--short] [--rounds N] [--seconds S]`: one nginx with two workers, in turns; needs wrk.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks import harness
from build.views.routes import API
from server.deploy.commands import of_site
from tests.builders import BOOK
from tests.nginx import NGINX, nginx
from tests.service import a_library

SHARE, CONNECTIONS = 0.9, 32


def main() -> None:
    """Measure and print; end with 1 when the share of the bare rate is missed in the long form."""
    asked = harness.options(__doc__, short={"rounds": 2, "seconds": 1.0}, rounds=9, seconds=4.0)
    if not NGINX:
        sys.exit("nginx is not installed (make system): nothing was measured")
    with tempfile.TemporaryDirectory() as name:
        _, out = a_library(Path(name) / "library")
        body = (out / f"api/v1/playbooks/{BOOK}.json").read_bytes()
        bare, port = Path(name) / "bare", harness.free_port()
        bare.mkdir()
        (bare / "file.json").write_bytes(body)
        second = f"server {{ listen 127.0.0.1:{port}; root {bare}; sendfile on; tcp_nopush on; access_log off; }}"
        told = replace(of_site(out, None), root=str(out), api=(), mcp=())
        with nginx(told, Path(name) / "nginx", further=second, logged=False) as served:
            paths = {served.address.port: f"{API}/playbooks/{BOOK}", port: "/file.json"}
            loads = (partial(_load, at, harness.request("GET", at, path)) for at, path in paths.items())
            kinds = dict(zip((f"a playbook's JSON, {len(body):,} bytes", "a bare file"), loads, strict=True))
            ours, other = harness.under_load("nginx", kinds, asked.rounds, asked.seconds).values()
    share = ours.rate / other.rate
    met = harness.verdict(f"share {share:.1%}, at least {SHARE:.0%}", met=share >= SHARE)
    sys.exit(bool(ours.failed) or not (met or asked.short))


def _load(port: int, sent: bytes, seconds: float) -> harness.Load:
    return harness.load(port, [sent], seconds, CONNECTIONS, threads=2)


if __name__ == "__main__":
    main()
