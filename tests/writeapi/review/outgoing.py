"""Small builders for the tests of publishing: what was decided, a run of the publisher, a repository to push to."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from library.content.formatting import canonical
from library.content.git import Git
from tests.builders import BOOK, TODAY
from tests.writeapi.review.desk import an_editor, content_of, reported, sent
from tests.writeapi.store.builders import rows
from writeapi.review.publishing.publish import DecisionResult, Target, publish
from writeapi.review.publishing.targets import BranchTarget, ContentTarget, author_of, start
from writeapi.review.services import ReviewServices, editor_name
from writeapi.store import Store
from writeapi.store.records import DraftFile, Member

LESSON = "lessons/clean-runs-lie.yaml"


def a_lesson_text(title: str = "Clean runs lie", **changes: Any) -> str:
    """The text of a new lesson, in its canonical form."""
    values: dict[str, Any] = {"title": title, "problem": f"{title}, and nobody sees it.", "fix": "Look twice."}
    values["contributors"] = [{"handle": "cleo"}]
    return canonical({**values, "playbooks": [BOOK], "updated": "2026-11-02", **changes}, LESSON).decode()


def the_editor(store: Store) -> Member:
    """The one editor of these tests."""
    return store.contributor("ann") or an_editor(store, "ann")


def accepted(store: Store, name: object = 1, files: Mapping[str, str | tuple[str, str]] | None = None) -> str:
    """A submission of cleo, accepted as these files; a pair is a text and the text that it replaces. Says its id."""
    who = store.contributor("cleo") or store.add_contributor("cleo", None, hashlib.sha256(b"cleo").digest(), "pbl_y")
    record = sent(store, name, kind="lesson", contributor_id=who.id)
    accept(store, record.id, 2, files or {LESSON: a_lesson_text()})
    return record.id


def accept(store: Store, subject: str, version: int, files: Mapping[str, str | tuple[str, str]]) -> None:
    """Accept what stands at this version as these files."""
    new = [
        DraftFile(file, told, None) if isinstance(told, str) else DraftFile(file, told[0], sha(told[1]))
        for file, told in files.items()
    ]
    store.accept(subject, new, by=editor_name(the_editor(store)), version=version)


def approved(store: Store, name: object = 1, **changes: Any) -> str:
    """A run report, approved. Says its id."""
    run = reported(store, name, **changes)
    assert store.approve_runs([(run, 1)], by=editor_name(the_editor(store))) == {}
    return run


def sha(text: str) -> str:
    """The SHA-256 of a text, as the outbox knows what it replaces."""
    return hashlib.sha256(text.encode()).hexdigest()


def go(desk: ReviewServices, target: Target | None = None, **how: Any) -> list[DecisionResult]:
    """Publish all that waits, into the folder unless told otherwise."""
    content = content_of(desk)
    return list(publish(desk, content, target or ContentTarget(content, desk.shelf), **how))


def results(outcomes: list[DecisionResult]) -> list[tuple[str, str]]:
    """Each subject with what became of it."""
    return [(outcome.subject, outcome.result) for outcome in outcomes]


def audit(url: str, subject: str) -> list[str]:
    """What a subject became, step by step, as the audit has it."""
    return [row[0] for row in rows(url, f"SELECT became FROM audit WHERE subject = '{subject}' ORDER BY id")]


GIT_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "HOME": "/nonexistent",
}
"""What git is told in tests: nothing of whoever runs them."""


def git(folder: Path, *arguments: str) -> str:
    """What git prints, in a folder."""
    command = ["git", "-C", str(folder), "-c", "user.name=mo", "-c", "user.email=mo@example.org", *arguments]
    return subprocess.run(command, env=GIT_ENVIRONMENT, check=True, capture_output=True, text=True).stdout.strip()


def a_repository(content: Path) -> Path:
    """A repository round a content folder, with everything committed on `main`, and a bare one called `origin`."""
    top = content.parent / "repository"
    top.mkdir()
    content.rename(top / "content")
    git(top, "init", "--quiet", "--initial-branch=main")
    git(top, "add", "content")
    git(top, "commit", "--quiet", "-m", "Begin")
    bare = top.parent / "origin.git"
    git(top, "clone", "--quiet", "--bare", str(top), str(bare))
    git(top, "remote", "add", "origin", str(bare))
    return top


def branches(top: Path, remote: str | None = None, base: str = "main") -> BranchTarget:
    """Branches in a repository, at the head of `base`."""
    repository = Git(top / "content", GIT_ENVIRONMENT)
    at = start(repository, base, remote)
    return BranchTarget(repository, at, author_of(repository), TODAY, remote)
