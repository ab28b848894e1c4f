"""The publisher is killed at every step, in the folder, on branches and with a remote: what follows is as if never.

By default at the first time of each step; with `PLAYBOOKS_LONG`, at each time of each.
"""

from __future__ import annotations

import hashlib
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.builders import PLAYBOOK
from tests.faults.publish_worker import publish_all
from tests.forks import run
from tests.lengths import LONG, many
from tests.trees import tree
from tests.writeapi.review.desk import BOOK_FILE, a_desk
from tests.writeapi.review.outgoing import a_lesson_text, a_repository, accepted, approved, git, the_editor
from tests.writeapi.store.builders import rows, sqlite_url, ticking
from writeapi.review.publishing.publish import settle
from writeapi.review.services import editor_name
from writeapi.store import Store

KINDS = ["content", "branch", "pushed"]
TASK = "tasks/other-job.yaml"
GONE = "lessons/gone-again.yaml"
REACHED = {
    "content": {"mkdir", "fsync", "replace", "unlink", "execute", "commit"},
    "branch": {"fork_exec", "execute", "commit"},
    "pushed": {"fork_exec", "execute", "commit"},
}
"""The calls at which each kind is killed, at the least."""


@dataclass
class Scene:
    """A queue with one of everything, and where it goes; `steps` are those of a publisher that nobody kills."""

    folder: Path
    kind: str
    steps: list[str]
    after: dict[str, object]


def _place(folder: Path, kind: str) -> None:
    """A queue with: something to take back, a new record of two files, a correction, a stale one, two reports."""
    store = Store(sqlite_url(folder / "queue.db"), clock=ticking())
    store.migrate()
    desk = a_desk(store, folder)
    if kind != "content":
        a_repository(folder / "content")
    back = accepted(store, "back", {GONE: a_lesson_text("Gone again")})
    late = approved(store, "late", lesson="Call me.")
    store.close()
    publish_all(folder, kind)
    store = Store(sqlite_url(folder / "queue.db"), clock=ticking())
    store.move(back, "withdrawn", by="sender")
    store.move(late, "withdrawn", by=editor_name(the_editor(store)), reasons=["takedown"])
    task = "name: Other job\ncategory: software\nsummary: Another one.\nwanted: true\n"
    accepted(store, "new", {"lessons/clean-runs-lie.yaml": a_lesson_text(), TASK: task})
    accepted(store, "changed", {BOOK_FILE: (PLAYBOOK.replace("Mostly", "Some"), PLAYBOOK)})
    accepted(store, "stale", {"agents/claude-code.yaml": ("name: X\n", "name: Y\n")})
    approved(store, "run", lesson="Look first.")
    store.close()
    del desk


def _after(folder: Path, kind: str) -> dict[str, object]:
    """All that a run of the publisher leaves, but for times."""
    url = sqlite_url(folder / "queue.db")
    found: dict[str, object] = {
        "audit": rows(url, "SELECT subject, version, who, was, became FROM audit ORDER BY subject, version"),
        "outbox": rows(url, "SELECT subject, version, file, state, went FROM outbox ORDER BY id"),
    }
    if kind == "content":
        found["files"] = tree(folder / "content")
        return found
    top = folder / "repository"
    found["files"] = tree(top / "content")
    found["heads"] = git(top, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/")
    found["remote"] = git(folder / "origin.git", "for-each-ref", "--format=%(refname) %(objectname)")
    found["index"] = git(top, "status", "--porcelain")
    return found


@pytest.fixture(scope="module", params=many(["content", "pushed"], KINDS))  # what is pushed is a branch too
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("scene")
    _place(folder, request.param)
    with _copied(folder, tmp_path_factory.mktemp("whole") / "copy") as whole:
        steps: list[str] = []
        publish_all(whole, request.param, lambda name, place: steps.append(f"{name} in {place}"))
        return Scene(folder, request.param, steps, _after(whole, request.param))


@contextmanager
def _copied(folder: Path, to: Path) -> Iterator[Path]:
    shutil.copytree(folder, to, symlinks=True)
    if (to / "repository").exists():
        git(to / "repository", "remote", "set-url", "origin", str(to / "origin.git"))
    yield to
    shutil.rmtree(to)


def _settled_twice(folder: Path, kind: str) -> list[str]:
    """What is published, and stays so: each once."""
    top = folder / ("content" if kind == "content" else "repository/content")
    built = {name: hashlib.sha256(body).hexdigest() for name, body in tree(top).items()}
    store = Store(sqlite_url(folder / "queue.db"), clock=ticking())
    first = [outcome.said for outcome in settle(store, built, "https://example.org")]
    assert list(settle(store, built, "https://example.org")) == []
    store.close()
    steps = rows(sqlite_url(folder / "queue.db"), "SELECT subject FROM audit WHERE became = 'published'")
    assert len(steps) == len(set(steps)) == len(first)
    return first


@pytest.mark.slow
def test_a_publisher_killed_at_any_step_is_as_if_it_had_not_been(scene: Scene, tmp_path: Path) -> None:
    assert {step.partition(" ")[0] for step in scene.steps} >= REACHED[scene.kind]
    assert len(set(scene.steps)) >= 16
    first = {name: scene.steps.index(name) for name in scene.steps}
    for number, name in enumerate(scene.steps):
        if number != first[name] and not LONG:
            continue
        with _copied(scene.folder, tmp_path / "copy") as folder:
            killed = run("tests.faults.publish_worker:main", (folder, scene.kind, number))
            assert killed.returncode == -signal.SIGKILL, (number, name, killed.stderr)
            publish_all(folder, scene.kind)
            assert _after(folder, scene.kind) == scene.after, (number, name)
            assert publish_all(folder, scene.kind) == []
            assert _after(folder, scene.kind) == scene.after, (number, name)
            expected = ["https://example.org/lessons/clean-runs-lie/", "https://example.org/playbooks/fix-flaky-tests/"]
            assert _settled_twice(folder, scene.kind) == (expected if scene.kind == "content" else [])
