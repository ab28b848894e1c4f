"""Where the circle turns: a bare remote, the operator's checkout with the service over it, a maintainer's clone."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from build.pipeline import build
from build.settings import BuildSettings
from library.content.loading import load
from library.records.collection import Library
from library.rules.trust import Verdict, counted_runs, judge
from server.queue import published_runs
from tests.builders import PLAYBOOK, TASK, TODAY, titled, write_content
from tests.faults.http_client import Address, Answer, post, request
from tests.forks import CLI, Forked, run
from tests.writeapi.review.outgoing import GIT_ENVIRONMENT, a_repository, git
from tests.writeapi.store.builders import a_store

_EMPTY = re.compile(r"^(?P<head>\s*(?:- )?)(?P<key>\w+): (?:\"\"|'')$", re.MULTILINE)


SECOND = {
    "tasks/write-tests.yaml": TASK.replace("Fix flaky tests", "Write tests"),
    "playbooks/write-tests.yaml": titled(PLAYBOOK, "Write tests for old code").replace(
        "task: fix-flaky-tests", "task: write-tests"
    ),
}
"""A second playbook, beside the one of the minimal content."""


class World:
    """The folders, and the commands as the operator and the maintainer give them; everything happens on `TODAY`."""

    def __init__(self, folder: Path) -> None:
        a_repository(write_content(folder, SECOND))
        self.bare = folder / "origin.git"
        self.checkout, self.clone = folder / "checkout", folder / "clone"
        for place in (self.checkout, self.clone):
            git(folder, "clone", "--quiet", str(self.bare), str(place))
        self.content, self.out, self.var = self.checkout / "content", folder / "site", folder / "var"
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(64)
        self.address = Address("127.0.0.1", self.listener.getsockname()[1])
        self.site_url = f"http://127.0.0.1:{self.address.port}"
        self.log = folder / "log"

    @contextmanager
    def serving(self, began: datetime) -> Iterator[None]:
        """The service as a process whose clock begins at a moment."""
        told = [self.content, self.out, self.var, self.site_url, began.isoformat(), "{listener}"]
        process = Forked("tests.circle.server:main", told, self.environment(), self.log, self.listener)
        try:
            assert request(self.address, "GET", "/api/v1/readyz", timeout=60).status == 200
            yield
        finally:
            process.terminate()
            process.wait(60)
        assert "Traceback" not in self.log.read_text()

    def environment(self, **more: str) -> dict[str, str]:
        """What a process is told: nothing of whoever runs the tests."""
        return {**GIT_ENVIRONMENT, "PLAYBOOKS_WRITE_LIMITS": "1000 per minute", **more}

    def playbooks(self, *arguments: str, key: str = "", code: int = 0) -> str:
        """What a command prints that ends with this code; the folders and the day are added."""
        done = run(CLI, arguments, self.environment(**({"PLAYBOOKS_EDITOR_KEY": key} if key else {})))
        assert done.returncode == code, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout

    def review(self, *arguments: str, key: str = "") -> str:
        """What a command of the desk prints."""
        out = ("--out", str(self.out)) if arguments[0] in ("publish", "settle") else ()
        places = ("--content", str(self.content), *out, "--var", str(self.var))
        return self.playbooks("review", *arguments, *places, "--today", str(TODAY), key=key)

    def published(self) -> str:
        """What the publisher says; branches are pushed."""
        return self.review("publish", "--branch", "--push", "origin")

    def merged(self) -> list[str]:
        """The maintainer merges every accepted branch into main, and the operator pulls; says the merged subjects."""
        git(self.clone, "fetch", "--quiet", "--prune", "origin")
        branches = git(self.clone, "for-each-ref", "--format=%(refname:short)", "refs/remotes/origin/accepted")
        known = git(self.clone, "branch", "--remotes", "--merged", "main", "--format=%(refname:short)").split()
        fresh = [name for name in branches.split() if name not in known]
        for name in fresh:
            git(self.clone, "merge", "--quiet", "--no-ff", "--no-edit", name)
        git(self.clone, "push", "--quiet", "origin", "main")
        git(self.checkout, "pull", "--quiet", "--ff-only", "origin", "main")
        return [name.rpartition("/")[2] for name in fresh]

    def built(self) -> None:
        """Check, count what waits, and build what is served."""
        at = ("--content", str(self.content))
        assert self.playbooks("check", "--strict", "--today", str(TODAY), *at) == ""
        queue, waiting = self.var / "queue.db", dict[str, int]()
        if queue.exists():  # before the first start of the service there is none
            with closing(a_store(f"sqlite:///{queue}")) as store:
                waiting = store.pending_runs(published_runs(self.content))
        build(BuildSettings(self.content, self.out, TODAY, 1, self.site_url, waiting))

    def formatted(self) -> str:
        """What `fmt` would change of all that was published."""
        first = git(self.checkout, "rev-list", "--max-parents=0", "HEAD")
        names = git(self.checkout, "diff", "--name-only", first, "HEAD").splitlines()
        assert names
        paths = [str(self.checkout / name) for name in names]
        return self.playbooks("fmt", "--check", "--content", str(self.content), *paths)

    def library(self) -> Library:
        """What lies in the checkout."""
        return load(self.content, TODAY)

    def verdict(self, slug: str) -> Verdict:
        """What the rule of trust says of a playbook in the checkout."""
        library = self.library()
        runs = [run for reports in library.runs.values() for run in reports]
        return judge(library.playbooks[slug], library.runs.get(slug, ()), counted_runs(runs), TODAY)

    def get(self, path: str) -> Answer:
        """What the service answers to a reader."""
        return request(self.address, "GET", path.removeprefix(self.site_url))

    def text(self, path: str) -> str:
        """The text at an address that is there."""
        answer = self.get(path)
        assert answer.status == 200, path
        return answer.body.decode()

    def api(self, path: str) -> Any:
        """What the API answers."""
        return json.loads(self.text(f"/api/v1{path}"))

    def found(self, path: str, seconds: float = 60.0) -> str:
        """The first result of a search; a new build's index is read beside the old one and then takes its place."""
        until = time.monotonic() + seconds
        while not (items := self.api(path)["items"]) and time.monotonic() < until:
            time.sleep(0.1)
        return str(items[0]["slug"]) if items else ""

    def send(self, path: str, body: Mapping[str, Any], key: str = "") -> Any:
        """What the API answers to what somebody sends."""
        answer = post(self.address, path, body, key=key)
        assert answer.status == 201, answer.body
        return answer.json

    def trailers(self, subject: str) -> list[str]:
        """The trailers of every commit in the checkout that is about a subject, newest first."""
        told = git(self.checkout, "log", "--no-merges", "--format=%(trailers:separator=%x2C )")
        return [line for line in told.splitlines() if line.endswith(f"Submission: {subject}")]


def filled(text: str, words: Mapping[str, str]) -> str:
    """A draft with every empty place filled by its key."""
    return _EMPTY.sub(lambda found: f"{found['head']}{found['key']}: {words[found['key']]}", text)
