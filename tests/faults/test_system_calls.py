"""A command whose n-th system call fails ends with the old state or the new one and a sentence, and the next mends it.

Every write, sync, rename, new name and fork in turn, by the error that a full or broken disk gives; by default a few of
each command, with `PLAYBOOKS_LONG` every one.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from build.verify import damaged
from tests.builders import PLAYBOOK, TODAY, put, write_content
from tests.forks import PROJECT
from tests.lengths import LONG, many
from tests.trees import built, tree
from tests.writeapi.review.desk import BOOK_FILE, a_desk, content_of, sent
from tests.writeapi.review.outgoing import accepted, approved
from tests.writeapi.store.builders import rows, sqlite_url, ticking
from writeapi.store import Store

ERRORS = {
    "write pwrite64 writev ftruncate": "ENOSPC",
    "fsync fdatasync sync rename renameat renameat2 unlink unlinkat": "EIO",
    "mkdir mkdirat link linkat symlink symlinkat": "ENOSPC",
    "clone clone3 fork vfork": "EAGAIN",
}
"""System calls, and the error that they get."""
KINDS = {call: error for calls, error in ERRORS.items() for call in calls.split()}
STRACE = ("strace", "--seccomp-bpf", "-f", "-qq")  # it stops at what is asked for alone: a seventh of the time
SOME = 4
MEMORY = many(2, 34)  # of each of the six commands: 204 in all
MIB = 1024 * 1024
pytestmark = [
    pytest.mark.slow,
    pytest.mark.system,
    pytest.mark.skipif(not shutil.which("strace"), reason="needs strace (tests/install-system.sh)"),
]


@dataclass
class Case:
    """One command on a small library: how its folder is made, and what of the folder is its state.

    What does several things may stop between two of them: each file is then the old one or the new one, and what
    `goes_along` with them is as far as they are.
    """

    make: Callable[[Path], None]
    command: str
    state: Callable[[Path], dict[str, object]]
    goes_along: frozenset[str] = frozenset()


def content_with_books(folder: Path) -> Path:
    content = write_content(folder)
    for name in ("first", "second"):
        put(content, f"playbooks/{name}.yaml", PLAYBOOK.replace("title: Fix flaky tests", f"title: The {name} job"))
    return content


def built_once(folder: Path) -> None:
    content = content_with_books(folder)
    built(content, folder / "site")
    put(content, BOOK_FILE, PLAYBOOK.replace("Mostly", "Some"))


def to_be_fixed(folder: Path) -> None:
    put(content_with_books(folder), BOOK_FILE, PLAYBOOK.replace("difficulty: intermediate", "difficulty: Intermediate"))


def queue(folder: Path, *names: str) -> None:
    (folder / "var").mkdir(exist_ok=True)
    store = Store(sqlite_url(folder / "var/queue.db"), clock=ticking())
    store.migrate()
    a_desk(store, folder)
    for name in names:
        approved(store, name)
    store.close()


def backed_up(folder: Path) -> None:
    queue(folder, "one", "two")
    run(folder, "backup --var var kept.backup")
    shutil.rmtree(folder / "var")
    shutil.rmtree(folder / "content")
    queue(folder, "three")


def to_be_published(folder: Path) -> None:
    (folder / "var").mkdir()
    store = Store(sqlite_url(folder / "var/queue.db"), clock=ticking())
    store.migrate()
    content = content_of(a_desk(store, folder))
    assert content == folder / "content"
    accepted(store, "changed", {BOOK_FILE: (PLAYBOOK.replace("Mostly", "Some"), PLAYBOOK)})
    accepted(store, "new")
    store.close()


def to_be_worked_off(folder: Path) -> None:
    """Something for each job that `work --once` does in the folder."""
    to_be_published(folder)
    content = folder / "content"
    built(content, folder / "site")
    store = Store(sqlite_url(folder / "var/queue.db"), clock=ticking())
    sent(store, "waiting", kind="lesson", screened=False)
    store.close()


def runs_of(folder: Path) -> dict[str, object]:
    return {"runs": sorted(rows(sqlite_url(folder / "var/queue.db"), "SELECT id, state FROM runs"))}


def backup_of(folder: Path) -> dict[str, object]:
    """What a backup holds; one that is there is whole."""
    if not (folder / "kept.backup").exists():
        return {}
    shutil.rmtree(folder / "other", ignore_errors=True)
    run(folder, "restore --var other kept.backup")
    return {"runs": sorted(rows(sqlite_url(folder / "other/queue.db"), "SELECT id, state FROM runs"))}


def files_of(name: str, folder: Path) -> dict[str, object]:
    place = folder / name
    return dict(tree(place.resolve())) if place.exists() else {}


def published(folder: Path) -> dict[str, object]:
    found = files_of("content", folder)
    found["outbox"] = rows(sqlite_url(folder / "var/queue.db"), "SELECT file, state FROM outbox ORDER BY id")
    return found


def worked(folder: Path) -> dict[str, object]:
    """What `work` leaves; a site that is there is whole, whatever it was made from, and so is a backup."""
    assert damaged(folder / "site") == []
    backups = [path.read_bytes().rpartition(b"\n") for path in (folder / "kept").glob("*.backup")]
    assert all(hashlib.sha256(body + end).hexdigest().encode() == said for body, end, said in backups)
    states = rows(sqlite_url(folder / "var/queue.db"), "SELECT id, state FROM submissions ORDER BY id")
    return {**published(folder), "queue": states, "site": files_of("site", folder), "backup": bool(backups)}


CASES = {
    "build": Case(built_once, "build --jobs 1", partial(files_of, "site")),
    "check": Case(to_be_fixed, "check --fix", partial(files_of, "content")),
    "publish": Case(to_be_published, "review publish --var var", published, frozenset({"outbox"})),
    "work": Case(
        to_be_worked_off, "work --once --var var --backups kept", worked, frozenset({"outbox", "queue", "site"})
    ),
    "backup": Case(lambda folder: queue(folder, "one", "two"), "backup --var var kept.backup", backup_of),
    "restore": Case(backed_up, "restore --force --var var kept.backup", runs_of),
}


def run(
    folder: Path, command: str, *before: str, memory: int = 0, well: bool = True
) -> subprocess.CompletedProcess[str]:
    """A command in a folder, behind what stands `before` it, with so many bytes of memory."""
    told = {name: value for name, value in os.environ.items() if not name.startswith("PLAYBOOKS_")}
    told |= {"PYTHONPATH": str(PROJECT), "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}
    words = command.split()
    if words[0] in ("build", "check", "review", "work"):
        words += ["--today", str(TODAY)]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    done = subprocess.run(
        [*before, sys.executable, "-W", "ignore", "-m", "cli", *words],
        cwd=folder, env=told, capture_output=True, text=True, timeout=180, check=False,
        preexec_fn=limit if memory else None,
    )  # fmt: skip
    assert not well or done.returncode == 0, done.stdout + done.stderr
    return done


@dataclass
class Scene:
    """A case with its folder, its states before and after, and how many calls of each kind it makes."""

    case: Case
    folder: Path
    before: dict[str, object]
    after: dict[str, object]
    calls: dict[str, int]


@pytest.fixture(scope="module", params=CASES)
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    case, folder = CASES[request.param], tmp_path_factory.mktemp("scene")
    (folder / "made").mkdir()
    case.make(folder / "made")
    before = case.state(folder / "made")
    whole = copied(folder / "made", folder / "whole")
    log = folder / "log"
    every = ",".join(KINDS)
    run(whole, case.command, *STRACE, "-o", str(log), "-e", f"trace={every}", "-e", "signal=none")
    main = log.read_text().split(maxsplit=1)[0]
    calls = Counter(re.findall(rf"^{main} +(\w+)\(", log.read_text(), re.MULTILINE))
    after = case.state(whole)
    assert after != before
    return Scene(case, folder / "made", before, after, calls)


def copied(folder: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to, symlinks=True)
    return to


def look(scene: Scene, folder: Path, done: subprocess.CompletedProcess[str], what: object) -> str:
    """The old state or the new one, in words, and the next run makes the new one; says which it was."""
    said, along = done.stdout + done.stderr, scene.case.goes_along
    assert "Traceback" not in said, (what, said)
    now = scene.case.state(folder)
    found = "new" if now == scene.after else "old" if now == scene.before else "between two steps"
    assert along or now in (scene.before, scene.after), (what, said)
    for name, body in now.items():
        assert name in along or body in (scene.before.get(name), scene.after.get(name)), (what, name)
    if done.returncode == 0:
        assert now == scene.after, (what, said)
        return f"{found}, done"
    assert said.strip() or done.returncode < 0, what
    again = run(folder, scene.case.command, well=False)
    assert scene.case.state(folder) == scene.after, (what, said, again.stdout + again.stderr)
    return f"{found}, failed"


def told(scene: Scene, what: str, outcomes: Counter[str]) -> None:
    """Print how many of what were tried, and what came of them."""
    sys.stdout.write(f"{scene.case.command}: {outcomes.total()} {what}: {dict(sorted(outcomes.items()))}\n")


def test_whatever_call_fails_the_state_is_whole(scene: Scene, tmp_path: Path) -> None:
    every = [(call, number) for call, count in sorted(scene.calls.items()) for number in range(1, count + 1)]
    outcomes = Counter[str]()
    for call, number in every if LONG else random.Random(23).sample(every, SOME):
        folder = copied(scene.folder, tmp_path / "copy")
        inject = f"inject={call}:error={KINDS[call]}:when={number}"
        tracing = (*STRACE, "-o", "/dev/null", "-e", f"trace={call}", "-e", inject)
        done = run(folder, scene.case.command, *tracing, well=False)
        outcomes[look(scene, folder, done, (scene.case.command, call, number))] += 1
    told(scene, f"of {len(every)} calls failed", outcomes)


def test_with_however_little_memory_the_state_is_whole(scene: Scene, tmp_path: Path) -> None:
    some, outcomes = random.Random(7), Counter[str]()
    for _ in range(MEMORY):
        memory = some.randrange(60, 900) * MIB
        folder = copied(scene.folder, tmp_path / "copy")
        done = run(folder, scene.case.command, memory=memory, well=False)
        outcomes[look(scene, folder, done, (scene.case.command, memory // MIB))] += 1
    told(scene, "limits of memory", outcomes)
