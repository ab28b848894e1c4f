"""Two services and two workers, each with a network, a name and process ids of its own, over one PostgreSQL and one
Redis; each is killed in turn: no report is lost, no decision is published twice, and limits count exactly.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

import pytest

from build.views.routes import API
from tests.builders import TODAY, write_content
from tests.faults.http_client import RUN
from tests.forks import PROJECT
from tests.lengths import many
from tests.postgres import needs_postgres, shared_server
from tests.trees import built
from tests.writeapi.review.outgoing import GIT_ENVIRONMENT, a_repository, git, the_editor
from tests.writeapi.store.builders import rows
from writeapi.review.services import editor_name
from writeapi.store import Store
from writeapi.store.queue import WORKER

_UNSHARE = ["unshare", "--net", "--uts", "--pid", "--fork", "--kill-child"]
_MAY = os.geteuid() == 0 and not subprocess.run([*_UNSHARE, "true"], check=False, capture_output=True).returncode
pytestmark = [
    pytest.mark.slow,
    pytest.mark.system,
    needs_postgres,
    pytest.mark.skipif(not _MAY, reason="no namespaces for this user: two machines were not tried"),
    pytest.mark.skipif(
        not shutil.which("redis-server"), reason="redis-server is not installed: two machines not tried"
    ),
]
LIMIT = 30
REPORTS = many(120, 1_200)
PATIENCE = 240


class Local(http.client.HTTPConnection):
    """A connection to a socket in the file system, which every network reaches."""

    def __init__(self, path: Path) -> None:
        super().__init__("library.example", timeout=30)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(str(self.path))


class Machine:
    """A checkout, a service and a worker under one name."""

    def __init__(self, name: str, folder: Path, shared: dict[str, str]) -> None:
        self.name, self.folder, self.socket = name, folder, folder / "api.sock"
        git(folder.parent, "clone", "--quiet", str(folder.parent / "origin.git"), str(folder))
        self.content, self.site = folder / "content", folder.with_name(f"{name}-site")
        built(self.content, self.site, TODAY, site_url="http://library.example")
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("PLAYBOOKS_", "WEB_"))}
        places: dict[str, object] = {"SITE": self.site, "VAR": folder.with_name(f"{name}-var"), "CONTENT": self.content}
        places["BIND"] = f"unix:{self.socket}"
        told = {f"PLAYBOOKS_{key}": str(value) for key, value in places.items()}
        self.environment: dict[str, str] = {**keep, **GIT_ENVIRONMENT, **shared, **told, "WEB_CONCURRENCY": "2"}
        (folder.with_name(f"{name}-var")).mkdir()
        self.service, self.worker = self.serve(), self.work()

    def start(self, module: str, *arguments: object) -> subprocess.Popen[bytes]:
        """Start a module of Python on this machine."""
        words = [sys.executable, "-m", "tests.faults.machine", self.name, module, *map(str, arguments)]
        with self.folder.with_name(f"{self.name}-log").open("ab") as log:
            return subprocess.Popen([*_UNSHARE, *words], cwd=PROJECT, env=self.environment, stdout=log, stderr=log)

    def serve(self) -> subprocess.Popen[bytes]:
        """Start the service."""
        config = PROJECT / "deploy/gunicorn.conf.py"
        return self.start("gunicorn", "--config", config, "--log-level", "warning", "playbook_library:application()")

    def work(self) -> subprocess.Popen[bytes]:
        """Start the worker."""
        places = ["--content", self.content, "--out", self.site, "--var", self.environment["PLAYBOOKS_VAR"]]
        how = ["--branch", "--push", "origin", "--fetch-every", "1", "--site-url", "http://library.example"]
        return self.start("cli", "work", *places, *how)

    def post(self, path: str, body: object, caller: str, once: str) -> int:
        """The status of a write, which comes from an address; 0 where there is no answer."""
        connection = Local(self.socket)
        headers = {"Content-Type": "application/json", "X-Forwarded-For": caller, "Idempotency-Key": once}
        try:
            connection.request("POST", f"{API}{path}", json.dumps(body).encode(), headers)
            response = connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()
        return response.status


@pytest.fixture
def url() -> str:
    return shared_server().fresh()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = Store(url, clock=lambda: datetime.now(UTC), wait=30)
    made.migrate()
    yield made
    made.close()


@contextmanager
def two_machines(folder: Path, url: str) -> Iterator[list[Machine]]:
    """Both, with what they share; everything ends with it."""
    with ExitStack() as keep:
        redis = folder / "redis.sock"
        words = ["redis-server", "--port", "0", "--unixsocket", str(redis), "--save", "", "--dir", str(folder)]
        counting = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        keep.callback(counting.wait, 60)
        keep.callback(counting.kill)
        until(redis.exists, "Redis does not start")
        a_repository(write_content(folder))
        limits = {"WRITE_LIMITS": f"{LIMIT} per hour", "CONTRIBUTOR_LIMITS": f"{LIMIT} per hour"}
        shared = {
            "DATABASE_URL": url,
            "LIMITS_URL": f"redis+unix://{redis}",
            "SECRET": token_hex(),
            "TRUSTED_PROXIES": "1",
        }
        told = {f"PLAYBOOKS_{name}": value for name, value in {**shared, **limits}.items()}
        machines = [Machine(name, folder / name, told) for name in ("one", "two")]
        try:
            until(lambda: all(ready(machine) for machine in machines), "a service does not start")
            yield machines
        finally:
            for process in [made for machine in machines for made in (machine.service, machine.worker)]:
                process.kill()
                process.wait(60)


def test_each_killed_in_turn(url: str, store: Store, tmp_path: Path) -> None:
    with two_machines(tmp_path, url) as machines:
        sent = reports_are_sent_while_services_die(machines)
        assert sorted(lesson for (lesson,) in rows(url, "SELECT lesson FROM runs")) == sorted(sent)
        limits_are_exact(machines)
        runs = [name for (name,) in rows(url, "SELECT id FROM runs")][: many(8, 80)]
        decisions_are_published_while_workers_die(store, machines, runs, tmp_path)
    for machine in machines:
        assert "Traceback" not in (tmp_path / f"{machine.name}-log").read_text()


def reports_are_sent_while_services_die(machines: list[Machine]) -> list[str]:
    """Each report goes to either machine, again and again until it is acknowledged. Says what all of them tell."""
    told = [f"Report {number}." for number in range(REPORTS)]

    def send(number: int) -> int:
        for attempt in range(PATIENCE * 10):
            machine = machines[(number + attempt) % 2]
            body = {**RUN, "lesson": told[number]}
            status = machine.post("/runs", body, f"198.51.{number % 250}.1", f"report-{number}")
            if status not in {0, 503}:
                return status
            time.sleep(0.1)
        return 0

    with ThreadPoolExecutor(4) as pool:
        answers = pool.map(send, range(REPORTS))
        for machine in [*machines, *machines]:
            time.sleep(0.7)
            machine.service.kill()
            machine.service.wait(60)
            machine.service = machine.serve()
    assert set(answers) == {201}
    return told


def limits_are_exact(machines: list[Machine]) -> None:
    """One caller at both machines at once has as many writes as one machine would give."""
    until(lambda: all(ready(machine) for machine in machines), "a service does not come back")

    def send(number: int) -> int:
        machine = machines[number % 2]
        return machine.post("/runs", RUN, "203.0.113.7", f"{machine.name}-{number}")

    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(send, range(2 * LIMIT)))
    assert (statuses.count(201), statuses.count(429)) == (LIMIT, LIMIT)


def decisions_are_published_while_workers_die(
    store: Store, machines: list[Machine], runs: list[str], folder: Path
) -> None:
    """Whoever works is killed; the other takes over, and each decision is on the remote once."""
    for number, name in enumerate(runs):
        assert store.approve_runs([(name, 1)], by=editor_name(the_editor(store))) == {}
        if number % 4 == 1:
            the_one_that_works_dies(store, machines)
    bare, clone = folder / "origin.git", folder / "clone"
    until(lambda: git(bare, "branch", "--list", "accepted/*").count("accepted/") == len(runs), "a branch is lost")
    git(folder, "clone", "--quiet", str(bare), str(clone))
    for name in runs:
        git(clone, "merge", "--quiet", "--no-edit", f"origin/accepted/{name}")
    git(clone, "push", "--quiet", "origin", "main")
    the_one_that_works_dies(store, machines)
    until(lambda: all(files(machine.content) == sorted(runs) for machine in machines), "a machine stayed behind")
    subjects = git(clone, "log", "--no-merges", "--format=%(trailers:key=Submission,valueonly)").split()
    assert sorted(subjects) == sorted(runs), "a decision was published twice"


def the_one_that_works_dies(store: Store, machines: list[Machine]) -> None:
    """Kill the worker that has the lease; one takes its place, and waits."""
    until(lambda: store.leased(WORKER), "nobody works")
    holder = (store.leased(WORKER) or ":").partition(":")[0]
    for machine in machines:
        if machine.name == holder:
            machine.worker.kill()
            machine.worker.wait(60)
            machine.worker = machine.work()


def files(content: Path) -> list[str]:
    """The reports that lie in a checkout."""
    return sorted(path.stem for path in content.glob("runs/*/*.yaml"))


def ready(machine: Machine) -> bool:
    """Whether its service can work."""
    with closing(Local(machine.socket)) as connection, suppress(OSError, http.client.HTTPException):
        connection.request("GET", f"{API}/readyz")
        return connection.getresponse().status == 200
    return False


def until(happened: Callable[[], object], what: str) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, what
        time.sleep(0.1)
