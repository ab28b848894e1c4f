"""What Prometheus is told: by a process of its own, over all workers, with nothing in it that was sent."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from build.views.routes import API
from tests.faults.http_client import RUN, Address, post, request
from tests.faults.http_server import gunicorn
from tests.forks import PROJECT


def test_workers_and_queue_are_told_on_another_port(site: Path, tmp_path: Path) -> None:
    with gunicorn(site, tmp_path, metrics="1", write_limits="4 per hour") as served:
        statuses = [post(served.address, "/runs", RUN).status for _ in range(6)]
        assert statuses == [201] * 4 + [429] * 2
        assert request(served.address, "GET", f"{API}/hidden-path?q=hidden-query").status == 404
        assert request(served.address, "BREW", f"{API}/search").status in (400, 405, 501)
        for path in ("/metrics", f"{API}/metrics"):
            assert request(served.address, "GET", path).status == 404, "never on the public port"
        command = [sys.executable, "-m", "cli", "metrics", "--port", "0", "--var", str(tmp_path)]
        process = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            found = re.search(r"127\.0\.0\.1:(\d+)/metrics", process.stdout.readline())
            assert found
            told = request(Address("127.0.0.1", int(found[1])), "GET", "/metrics").body.decode()
        finally:
            process.terminate()
            assert process.wait(60) == 0
            process.stdout.close()
    values = dict(line.rsplit(" ", 1) for line in told.splitlines() if not line.startswith("#"))
    assert float(values['playbooks_requests_total{method="POST",route="/runs",status="201"}']) == 4
    assert float(values['playbooks_requests_total{method="POST",route="/runs",status="429"}']) == 2
    assert float(values['playbooks_request_seconds_count{route="/runs"}']) == 6
    assert float(values['playbooks_records{kind="run",state="pending"}']) == 4
    assert float(values['playbooks_queue{kind="run"}']) == 4
    assert float(values["playbooks_queue_age_seconds"]) >= 0
    assert (float(values["playbooks_outbox"]), float(values["playbooks_store_up"])) == (0, 1)
    assert float(values["playbooks_worker_up"]) == 0
    assert "hidden" not in told
    assert "BREW" not in told
    assert "127.0.0.1" not in told
