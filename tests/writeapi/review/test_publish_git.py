"""Branches for pull requests: made beside the checkout, once, of slugs and checked handles, and pushed with care."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from library.content.git import Git, GitError
from library.problems import UsageError
from tests.builders import BOOK, PLAYBOOK, TODAY
from tests.rich import HOSTILE
from tests.trees import tree
from tests.writeapi.review.desk import BOOK_FILE, a_desk
from tests.writeapi.review.outgoing import (
    GIT_ENVIRONMENT,
    LESSON,
    a_lesson_text,
    a_repository,
    accept,
    accepted,
    approved,
    audit,
    branches,
    git,
    results,
    sha,
    the_editor,
)
from tests.writeapi.store.builders import sqlite_url, ticking
from writeapi.review.publishing.publish import DecisionResult, publish
from writeapi.review.publishing.targets import BranchTarget, author_of, start
from writeapi.review.services import ReviewServices, editor_name
from writeapi.store import Store
from writeapi.store.records import DraftFile

pytestmark = pytest.mark.slow


class Place:
    """A queue over a repository with a remote."""

    def __init__(self, store: Store, url: str, desk: ReviewServices, folder: Path) -> None:
        self.store, self.url, self.desk = store, url, desk
        self.top = a_repository(folder / "content")
        self.bare = folder / "origin.git"

    def go(self, remote: str | None = None, **how: Any) -> list[DecisionResult]:
        return list(publish(self.desk, self.top / "content", branches(self.top, remote), **how))

    def merge(self, branch: str) -> None:
        """As a maintainer merges it, at the remote and here."""
        git(self.top, "merge", "--quiet", "--no-ff", "-m", "Merge", branch)
        git(self.top, "push", "--quiet", "origin", "main")

    def heads(self, folder: Path | None = None) -> dict[str, str]:
        lines = git(folder or self.top, "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads/")
        return dict(line.split(" ", 1) for line in lines.splitlines())


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Over SQLite only: what git does has nothing to do with the database."""
    url = sqlite_url(tmp_path / "queue.db")
    store = Store(url, clock=ticking())
    store.migrate()
    yield Place(store, url, a_desk(store, tmp_path), tmp_path)
    store.close()


def test_a_branch_has_one_commit_with_trailers_and_the_checkout_is_not_touched(place: Place) -> None:
    name = accepted(place.store)
    (place.top / "content/draft.txt").write_text("of the maintainer, not committed")
    git(place.top, "add", "content/draft.txt")
    before, status = tree(place.top / "content"), git(place.top, "status", "--porcelain")
    assert results(place.go()) == [(name, "written")]
    branch = f"accepted/{name}"
    assert set(place.heads()) == {"main", branch}
    assert git(place.top, "diff", "--name-only", "main", branch) == f"content/{LESSON}"
    assert git(place.top, "show", f"{branch}:content/{LESSON}") + "\n" == a_lesson_text()
    assert git(place.top, "rev-parse", f"{branch}^") == place.heads()["main"]
    assert git(place.top, "log", "-1", "--format=%B", branch) == (
        f"Add lesson clean-runs-lie\n\nContributed-by: cleo\nReviewed-by: ann\nSubmission: {name}"
    )
    assert git(place.top, "log", "-1", "--format=%an <%ae> %cn <%ce>", branch) == (
        "playbooks publisher <publisher@localhost> playbooks publisher <publisher@localhost>"
    )
    assert (tree(place.top / "content"), git(place.top, "status", "--porcelain")) == (before, status)
    assert git(place.top, "symbolic-ref", "HEAD") == "refs/heads/main"
    assert git(place.top, "for-each-ref", "refs/playbooks/") == ""


def test_a_withdrawn_playbook_has_a_branch_that_names_no_contributor(place: Place) -> None:
    by, subject = editor_name(the_editor(place.store)), f"playbook:{BOOK}"
    new = [
        DraftFile(BOOK_FILE, f"{PLAYBOOK}status: withdrawn\nstatus_reason: It was unsafe.\n", sha(PLAYBOOK), PLAYBOOK)
    ]
    place.store.withdraw_playbook(subject, new, by=by, reasons=["unsafe"], note="It was unsafe.")
    assert results(place.go()) == [(subject, "written")]
    told = git(place.top, "log", "-1", "--format=%B", f"accepted/playbook-{BOOK}")
    assert told == f"Withdraw playbook {BOOK}\n\nReviewed-by: ann\nWithdrawal: playbook {BOOK}"


def test_the_same_decision_and_base_give_the_same_commit(place: Place) -> None:
    name = accepted(place.store)
    place.go()
    first = place.heads()
    git(place.top, "branch", "-D", f"accepted/{name}")
    _again(place, name)
    assert results(place.go()) == [(name, "written")]
    assert place.heads() == first
    _again(place, name)
    place.go()
    assert place.heads() == first


def _again(place: Place, name: str) -> None:
    """As if the publisher had been cut off before it noted that it had written."""
    engine = create_engine(place.url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE outbox SET state = 'waiting', went = NULL WHERE subject = '{name}'"))
    engine.dispose()


def test_a_report_of_nobody_with_a_key_is_anonymous_and_nothing_that_was_sent_is_in_the_message(place: Place) -> None:
    run = approved(
        place.store, lesson=HOSTILE, what_changed=HOSTILE, reporter="Contributed-by: ann", agent=HOSTILE[:60]
    )
    assert results(place.go()) == [(run, "written")]
    assert git(place.top, "log", "-1", "--format=%B", f"accepted/{run}") == (
        f"Add run report {run} for {BOOK}\n\nContributed-by: anonymous\nReviewed-by: ann\nSubmission: {run}"
    )


def test_changes_and_withdrawals_are_named_as_such(place: Place) -> None:
    gone = f"{PLAYBOOK}status: withdrawn\nstatus_reason: It was unsafe.\n"
    first = accepted(place.store, 1, {BOOK_FILE: (PLAYBOOK.replace("Mostly", "Some"), PLAYBOOK)})
    second = accepted(place.store, 2, {BOOK_FILE: (gone, PLAYBOOK), LESSON: a_lesson_text(), "tasks/t.yaml": _task()})
    place.go()
    subjects = [git(place.top, "log", "-1", "--format=%s", f"accepted/{name}") for name in (first, second)]
    assert subjects == [f"Change playbook {BOOK}", f"Withdraw playbook {BOOK} and 2 more"]


def _task() -> str:
    return "name: Other job\ncategory: software\nsummary: Another one.\nwanted: true\n"


def test_what_the_base_has_already_needs_no_branch(place: Place) -> None:
    name = accepted(place.store)
    (place.top / "content/lessons").mkdir()
    (place.top / "content" / LESSON).write_text(a_lesson_text())
    git(place.top, "add", "content")
    git(place.top, "commit", "--quiet", "-m", "By hand")
    assert results(place.go()) == [(name, "written")]
    assert set(place.heads()) == {"main"}


def test_a_branch_of_an_older_version_is_replaced_and_a_maintainers_commit_never(place: Place) -> None:
    name = accepted(place.store)
    place.go()
    old = place.heads()[f"accepted/{name}"]
    place.store.move(name, "screened", version=3, reasons=["pull-request-closed"], by="editor:c:1")
    accept(place.store, name, 4, {LESSON: a_lesson_text(fix="Look three times.")})
    assert results(place.go()) == [(name, "written")]
    new = place.heads()[f"accepted/{name}"]
    assert new != old
    assert "three times" in git(place.top, "show", f"{new}:content/{LESSON}")
    git(place.top, "checkout", "--quiet", f"accepted/{name}")
    git(place.top, "commit", "--quiet", "--amend", "--no-edit", "--reset-author")
    git(place.top, "checkout", "--quiet", "main")
    theirs = place.heads()[f"accepted/{name}"]
    place.store.move(name, "screened", version=5, reasons=["other"], by="editor:c:1")
    accept(place.store, name, 6, {LESSON: a_lesson_text(fix="Look four times.")})
    outcomes = place.go()
    assert results(outcomes) == [(name, "waiting")]
    assert "not the publisher's" in outcomes[0].said
    assert place.heads()[f"accepted/{name}"] == theirs


def test_a_push_reaches_the_remote_and_begins_at_its_branch(place: Place, tmp_path: Path) -> None:
    clone = tmp_path / "maintainer"
    git(tmp_path, "clone", "--quiet", str(place.bare), str(clone))
    (clone / "content/tasks/t.yaml").write_text(_task())
    git(clone, "add", "content")
    git(clone, "commit", "--quiet", "-m", "A job")
    git(clone, "push", "--quiet", "origin", "main")
    name = accepted(place.store)
    assert results(place.go("origin")) == [(name, "written")]
    branch = f"accepted/{name}"
    assert place.heads(place.bare)[branch] == place.heads()[branch]
    assert git(place.top, "rev-parse", f"{branch}^") == git(clone, "rev-parse", "main")
    assert place.go("origin") == []


def test_a_push_that_fails_leaves_it_waiting_and_the_others_go_on(place: Place) -> None:
    hook = place.bare / "hooks/update"
    hook.parent.mkdir(exist_ok=True)
    first, second = accepted(place.store, 1), approved(place.store)
    hook.write_text(f"#!/bin/sh\ncase $1 in */{first}) echo https://ann:secret@host no >&2; exit 1;; esac\n")
    hook.chmod(0o755)
    outcomes = place.go("origin")
    assert results(outcomes) == [(first, "waiting"), (second, "written")]
    assert "git push" in outcomes[0].said
    assert "secret" not in outcomes[0].said
    assert [entry.subject for entry in place.store.outbox("waiting")] == [first]
    hook.unlink()
    assert results(place.go("origin")) == [(first, "written")]
    assert place.heads(place.bare) == place.heads()


def test_a_commit_that_a_maintainer_pushed_on_top_is_kept(place: Place, tmp_path: Path) -> None:
    name = accepted(place.store)
    place.go("origin")
    branch, clone = f"accepted/{name}", tmp_path / "maintainer"
    git(tmp_path, "clone", "--quiet", "--branch", branch, str(place.bare), str(clone))
    path = clone / "content" / LESSON
    path.write_text(path.read_text().replace("Look twice", "Look three times"))
    git(clone, "commit", "--quiet", "-am", "Say it better")
    git(clone, "push", "--quiet", "origin", branch)
    theirs = place.heads(place.bare)[branch]
    _again(place, name)
    assert results(place.go("origin")) == [(name, "written")]
    assert place.heads(place.bare)[branch] == theirs
    place.store.move(name, "screened", version=3, reasons=["other"], by="editor:c:1")
    accept(place.store, name, 4, {LESSON: a_lesson_text(fix="Look four times.")})
    outcomes = place.go("origin")
    assert results(outcomes) == [(name, "waiting")]
    assert place.heads(place.bare)[branch] == theirs


def test_a_submission_taken_back_loses_its_branch_here_and_there(place: Place) -> None:
    name, kept = accepted(place.store), approved(place.store)
    place.go("origin")
    place.store.move(name, "withdrawn", by="sender")
    assert results(place.go("origin")) == [(name, "taken back")]
    assert set(place.heads()) == set(place.heads(place.bare)) == {"main", f"accepted/{kept}"}
    assert place.go("origin") == []
    assert audit(place.url, name)[-1] == "withdrawn"


def test_a_branch_that_was_changed_or_merged_is_left_to_a_person(place: Place) -> None:
    merged, changed = accepted(place.store, 1), accepted(place.store, 2, {"tasks/t.yaml": _task()})
    place.go()
    place.merge(f"accepted/{merged}")
    git(place.top, "checkout", "--quiet", f"accepted/{changed}")
    git(place.top, "commit", "--quiet", "--allow-empty", "-m", "More")
    git(place.top, "checkout", "--quiet", "main")
    for name in (merged, changed):
        place.store.move(name, "withdrawn", by="sender")
    outcomes = place.go()
    assert results(outcomes) == [(merged, "by hand"), (changed, "by hand")]
    assert set(place.heads()) == {"main", f"accepted/{merged}", f"accepted/{changed}"}
    assert place.go() == []


def test_a_withdrawn_report_gets_a_tombstone_on_its_branch(place: Place) -> None:
    run = approved(place.store, lesson="Call me.")
    place.go()
    place.merge(f"accepted/{run}")
    place.store.move(run, "withdrawn", by=editor_name(the_editor(place.store)), reasons=["takedown"])
    assert results(place.go()) == [(run, "written")]
    body = git(place.top, "show", f"accepted/{run}:content/runs/{BOOK}/{run}.yaml")
    assert "status: withdrawn" in body
    assert "Call me" not in body
    assert git(place.top, "log", "-1", "--format=%s", f"accepted/{run}") == f"Withdraw run report {run} of {BOOK}"


def test_a_link_in_the_base_is_refused(place: Place) -> None:
    (place.top / "content/lessons").symlink_to("../elsewhere")
    git(place.top, "add", "content")
    git(place.top, "commit", "--quiet", "-m", "A link")
    name = accepted(place.store)
    outcomes = place.go()
    assert results(outcomes) == [(name, "waiting")]
    assert "symbolic link" in outcomes[0].said


def test_hooks_and_other_repositories_in_the_environment_are_not_obeyed(place: Place, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    for hook in ("reference-transaction", "pre-push", "post-commit", "pre-commit"):
        path = place.top / ".git/hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch {marker}\n")
        path.chmod(0o755)
    environment = {**GIT_ENVIRONMENT, "GIT_DIR": str(place.bare), "GIT_INDEX_FILE": "/nowhere"}
    repository = Git(place.top / "content", environment)
    assert repository.own == place.top / ".git"
    accepted(place.store)
    place.go("origin")
    assert not marker.exists()


@pytest.mark.parametrize(
    "remote", ["upstream", "--upload-pack=touch x", "https://example.org/x.git", "", "../origin.git"]
)
def test_only_a_remote_that_the_repository_knows_is_pushed_to(place: Place, remote: str) -> None:
    with pytest.raises(UsageError, match="no remote"):
        branches(place.top, remote)


@pytest.mark.parametrize("base", ["nowhere", "--output=x", "main..x", ""])
def test_a_base_that_is_none_is_said(place: Place, base: str) -> None:
    for remote in (None, "origin"):
        with pytest.raises((UsageError, GitError)):
            branches(place.top, remote, base)


def test_a_remote_that_cannot_be_reached_is_said(place: Place) -> None:
    git(place.top, "remote", "set-url", "origin", "/nonexistent/origin.git")
    with pytest.raises(GitError, match="git fetch"):
        branches(place.top, "origin")


def test_a_folder_without_a_repository_is_said(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="not a git repository"):
        Git(tmp_path, {**GIT_ENVIRONMENT, "GIT_CEILING_DIRECTORIES": str(tmp_path)})
    with pytest.raises(GitError, match="not installed"):
        Git(tmp_path, {"PATH": str(tmp_path)})


def test_the_author_is_the_repositorys_user(place: Place) -> None:
    repository = Git(place.top, GIT_ENVIRONMENT)
    git(place.top, "config", "user.name", "Mo")
    assert author_of(repository) == "Mo <publisher@localhost>"
    for name in ("a\nb", "a <b>"):
        git(place.top, "config", "user.name", name)
        with pytest.raises(UsageError):
            author_of(repository)


def test_a_dry_run_makes_no_branch(place: Place) -> None:
    name = accepted(place.store)
    assert results(place.go(dry=True)) == [(name, "written")]
    assert set(place.heads()) == {"main"}


def test_start_takes_any_commit(place: Place) -> None:
    repository = Git(place.top, GIT_ENVIRONMENT)
    assert start(repository, "HEAD", None) == place.heads()["main"]


def test_a_library_that_is_a_whole_repository_works_too(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "queue.db")
    store = Store(url, clock=ticking())
    store.migrate()
    desk = a_desk(store, tmp_path)
    content = tmp_path / "content"
    git(content, "init", "--quiet", "--initial-branch=main")
    git(content, "add", ".")
    git(content, "commit", "--quiet", "-m", "Begin")
    name = accepted(store)
    repository = Git(content, GIT_ENVIRONMENT)
    target = BranchTarget(repository, start(repository, "main", None), author_of(repository), TODAY)
    assert results(list(publish(desk, content, target))) == [(name, "written")]
    assert git(content, "diff", "--name-only", "main", f"accepted/{name}") == LESSON
    store.close()


AMENDED = {
    "by somebody else at the same moment": ("mo", "mo@example.org", "@{} +0000"),
    "by the same name later": ("playbooks publisher", "publisher@localhost", "@{}1 +0000"),
}


@pytest.mark.parametrize("who", AMENDED)
def test_a_commit_that_was_amended_is_not_the_publishers(place: Place, who: str) -> None:
    """A maintainer may commit as the same user as the publisher: then the moment tells the two apart."""
    name = accepted(place.store)
    place.go()
    branch = f"accepted/{name}"
    moment = git(place.top, "log", "-1", "--format=%ct", branch)
    tree_id, text = git(place.top, "rev-parse", "main^{tree}"), git(place.top, "log", "-1", "--format=%B", branch)
    author, email, date = AMENDED[who]
    told = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", author), ("EMAIL", email), ("DATE", date.format(moment)))
    }
    repository = Git(place.top, GIT_ENVIRONMENT)
    main = place.heads()["main"]
    theirs = repository("commit-tree", tree_id, "-p", main, "-m", text, environment=told).decode().strip()
    git(place.top, "update-ref", f"refs/heads/{branch}", theirs)
    place.store.move(name, "withdrawn", by="sender")
    assert results(place.go()) == [(name, "by hand")]
    assert place.heads()[branch] == theirs


def test_what_is_pushed_by_others_meanwhile_is_kept(place: Place) -> None:
    name = accepted(place.store)
    main = place.heads(place.bare)["main"]
    target = branches(place.top, "origin")  # which fetches: the other comes after that
    git(place.bare, "update-ref", f"refs/heads/accepted/{name}", main)
    assert results(list(publish(place.desk, place.top / "content", target))) == [(name, "waiting")]
    assert place.heads(place.bare)[f"accepted/{name}"] == main
