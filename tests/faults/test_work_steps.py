"""The worker is killed at every kind of moment of every job, in the folder, before a push and after a merge.

Whoever goes on finds all as if nobody had been killed: nothing is lost, done twice or stuck. By default it is killed
at one or two moments of each job; with `PLAYBOOKS_LONG`, at the first of each kind and at twenty more.
"""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from library.records.vocabulary import SubmissionState
from tests.builders import BOOK, PLAYBOOK
from tests.faults.work_worker import content_in, work_off
from tests.forks import run
from tests.lengths import LONG
from tests.trees import tree
from tests.writeapi.review.desk import BOOK_FILE, a_desk, sent
from tests.writeapi.review.outgoing import GIT_ENVIRONMENT, a_repository, accepted, approved, git, sha, the_editor
from tests.writeapi.store.builders import an_id, rows, sqlite_url, ticking
from writeapi.review.services import editor_name
from writeapi.store import Store
from writeapi.store.records import DraftFile

pytestmark = pytest.mark.slow
MOMENTS = {
    "content": {"screen: commit", "publish: commit", "publish: os.rename", "build: open", "build: os.rename"}
    | {"settle: commit", "prune: commit", "backup: os.link"},
    "pushed": {"fetch: subprocess.Popen", "publish: subprocess.Popen", "publish: commit", "screen: commit"},
    "merged": {"fetch: subprocess.Popen", "build: open", "settle: commit"},
}
"""The moments that are always tried, in each scene."""


CHANGES = ("waiting", "new", "clear", "clash")
"""What was sent, by name."""


def _corrected(store: Store, name: str, was: str, becomes: str, original: str) -> str:
    """A correction of the playbook, accepted as it stood."""
    record = sent(store, name, kind="correction", playbook=BOOK)
    draft = DraftFile(BOOK_FILE, original.replace(was, becomes), sha(original), original)
    store.accept(record.id, [draft], by=editor_name(the_editor(store)), version=2)
    return record.id


def _moved_on(folder: Path) -> None:
    """Somebody changes the playbook at the remote: what one correction is about, and something else."""
    clone = folder / "elsewhere"
    git(folder, "clone", "--quiet", str(folder / "origin.git"), str(clone))
    path = clone / "content" / BOOK_FILE
    path.write_text(path.read_text().replace("Mostly tokens", "Only tokens"))
    git(clone, "commit", "--quiet", "--all", "-m", "Cost, as it is now")
    git(clone, "push", "--quiet", "origin", "main")
    shutil.rmtree(clone)


def _merged(folder: Path) -> None:
    """A maintainer merges every branch at the remote."""
    clone = folder / "elsewhere"
    git(folder, "clone", "--quiet", str(folder / "origin.git"), str(clone))
    for name in git(clone, "branch", "--remotes", "--list", "origin/accepted/*").split():
        git(clone, "merge", "--quiet", "--no-edit", name)
    git(clone, "push", "--quiet", "origin", "main")
    shutil.rmtree(clone)


def _place(folder: Path, kind: str) -> None:
    """A queue with something for every job."""
    store = Store(sqlite_url(folder / "queue.db"), clock=ticking())
    store.migrate()
    a_desk(store, folder)
    sent(store, "waiting", kind="lesson", screened=False)
    accepted(store, "new")
    approved(store, "run", lesson="Look first.")
    _corrected(store, "clear", "Find the cause of a flaky test", "Find why a test is flaky", PLAYBOOK)
    _corrected(store, "clash", "Mostly tokens", "Some tokens", PLAYBOOK)
    store.close()
    if kind == "content":
        file = folder / "content" / BOOK_FILE
        file.write_text(file.read_text().replace("Mostly tokens", "Only tokens"))
    else:
        a_repository(folder / "content")
        _moved_on(folder)
    if kind == "merged":
        work_off(folder, kind)
        _merged(folder)


def _after(folder: Path, kind: str) -> dict[str, object]:
    """All that work leaves, but for times and tries."""
    url = sqlite_url(folder / "queue.db")
    backups = list((folder / "backups").glob("*.backup"))
    found: dict[str, object] = {
        "audit": rows(url, "SELECT subject, version, who, was, became FROM audit ORDER BY subject, version, became"),
        "outbox": rows(url, "SELECT subject, version, file, state, went FROM outbox ORDER BY id"),
        "reviews": rows(url, "SELECT subject, version, advice FROM reviews ORDER BY subject, version"),
        "failing": rows(url, "SELECT name FROM jobs WHERE failures > 0"),
        "files": tree(content_in(folder, kind)),
        "site": tree(folder / "site"),
        "backups": bool(backups),
    }
    if kind != "content":
        found["heads"] = git(folder / "repository", "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/")
        found["remote"] = git(folder / "origin.git", "for-each-ref", "--format=%(refname) %(objectname)")
        found["status"] = git(folder / "repository", "status", "--porcelain")
    return found


@contextmanager
def _copied(folder: Path, to: Path) -> Iterator[Path]:
    shutil.copytree(folder, to, symlinks=True)
    if (to / "site").is_symlink():
        (to / "site").unlink()
        (to / "site").symlink_to(Path(".site", *(folder / "site").readlink().parts[-2:]))
    if (to / "repository").exists():
        git(to / "repository", "remote", "set-url", "origin", str(to / "origin.git"))
    yield to
    shutil.rmtree(to)


@pytest.mark.parametrize("kind", MOMENTS)
def test_a_worker_killed_at_any_moment_is_as_if_it_had_not_been(kind: str, tmp_path: Path) -> None:
    scene = tmp_path / "scene"
    scene.mkdir()
    _place(scene, kind)
    with _copied(scene, tmp_path / "whole") as folder:
        told = run("tests.faults.work_worker:main", (folder, kind, -1), GIT_ENVIRONMENT)
        assert told.returncode == 0, told.stderr
        moments, wanted = told.stdout.splitlines(), _after(folder, kind)
        _is_right(folder, kind)
    assert set(moments) >= MOMENTS[kind]
    first = {name: number for number, name in reversed([*enumerate(moments)])}
    tried = {number for name, number in first.items() if LONG or name in MOMENTS[kind]}
    more = range(0, len(moments), max(1, len(moments) // 20)) if LONG else ()
    for number in sorted({*tried, *more}):
        with _copied(scene, tmp_path / "copy") as folder:
            killed = run("tests.faults.work_worker:main", (folder, kind, number), GIT_ENVIRONMENT)
            assert killed.returncode == -signal.SIGKILL, (number, moments[number], killed.stderr)
            again = run("tests.faults.work_worker:main", (folder, kind, -1), GIT_ENVIRONMENT)
            assert again.returncode == 0, (number, moments[number], again.stderr)
            assert _after(folder, kind) == wanted, (number, moments[number])


def _is_right(folder: Path, kind: str) -> None:
    """What is left where nobody is killed: a true clash is back with three texts, all else went its way."""
    went = SubmissionState.ACCEPTED if kind == "pushed" else SubmissionState.PUBLISHED
    store = Store(sqlite_url(folder / "queue.db"), clock=ticking())
    states = {name: found.state for name in CHANGES if (found := store.submission(an_id("sub", name)))}
    assert states == {"waiting": "screened", "new": went, "clear": went, "clash": "screened"}
    assert "changes it too: cost" in str(store.steps(an_id("sub", "clash"))[-1].note)
    entry = store.outbox(subject=an_id("sub", "clash"))[-1]
    assert ("Mostly tokens" in str(entry.original), "Some tokens" in str(entry.text)) == (True, True)
    text = (content_in(folder, kind) / BOOK_FILE).read_text()
    assert ("Only tokens" in text, "Find why a test is flaky" in text) == (True, kind != "pushed")
    store.close()
