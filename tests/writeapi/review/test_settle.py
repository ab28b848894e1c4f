"""What was accepted is published once the site is made from it, and never because of a file that says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from library.content.git import Git
from library.records.vocabulary import OutboxState
from tests.writeapi.review.outgoing import GIT_ENVIRONMENT, LESSON, a_lesson_text, accepted, audit, git, results, sha
from tests.writeapi.store.builders import an_id
from writeapi.review.publishing.publish import OTHERWISE, is_merged, page_of, settle
from writeapi.store import Store
from writeapi.store.records import OutboxEntry

SITE = "https://playbooks.example/sub/"
OLD, NEW, OTHER = (a_lesson_text(fix=words) for words in ("Look once.", "Look twice.", "Look away."))
OTHER_FILE = "lessons/another.yaml"
ON_A_BRANCH = "branch accepted/x at 0123456789ab"


def written(store: Store, subject: str, went: str = "the content folder") -> None:
    """Note that all entries of a subject are written."""
    assert store.written(store.outbox("waiting", subject=subject), went)


def settled(store: Store, built: Mapping[str, str], *, merged: bool = False) -> list[tuple[str, str, str]]:
    """What becomes of everything, with what is said."""
    found = settle(store, {file: sha(text) if text else "" for file, text in built.items()}, SITE, lambda _: merged)
    return [(outcome.subject, outcome.result, outcome.said) for outcome in found]


def test_a_new_file_is_published_at_its_page_once_it_is_written_and_built(store: Store, url: str) -> None:
    subject = accepted(store)
    assert settled(store, {LESSON: NEW}) == [], "it is not written"
    written(store, subject)
    assert settled(store, {}) == [], "it is not built"
    assert settled(store, {LESSON: OTHER}) == [
        (subject, "published", "https://playbooks.example/sub/lessons/clean-runs-lie/")
    ]
    assert settled(store, {LESSON: OTHER}) == []
    assert audit(url, subject)[-1] == "published"
    record = store.submission(subject)
    assert record
    assert (record.state, record.place) == ("published", "https://playbooks.example/sub/lessons/clean-runs-lie/")


def test_of_several_files_all_have_to_be_there_and_the_first_names_the_page(store: Store) -> None:
    subject = accepted(store, files={OTHER_FILE: OTHER, LESSON: NEW})
    written(store, subject)
    assert settled(store, {OTHER_FILE: OTHER}) == []
    assert settled(store, {OTHER_FILE: OTHER, LESSON: NEW}) == [
        (subject, "published", "https://playbooks.example/sub/lessons/another/")
    ]


@pytest.mark.parametrize(
    ("went", "here", "merged", "result"),
    [
        ("the content folder", NEW, False, "published"),
        ("the content folder", OLD, True, None),
        ("the content folder", "", True, None),
        ("the content folder", OTHER, False, "published"),
        (ON_A_BRANCH, NEW, False, "published"),
        (ON_A_BRANCH, OLD, True, None),
        (ON_A_BRANCH, OTHER, True, "published"),
        (ON_A_BRANCH, OTHER, False, "waiting"),
        ("branch other/x", OTHER, False, "published"),
    ],
)
def test_a_changed_file_has_to_be_what_was_sent_or_what_became_of_it(
    store: Store, went: str, here: str, result: str | None, *, merged: bool
) -> None:
    subject = accepted(store, files={LESSON: (NEW, OLD)})
    written(store, subject, went)
    told = settled(store, {LESSON: here}, merged=merged)
    assert [row[1] for row in told] == ([result] if result else [])
    if result == "waiting":
        assert told == [(subject, "waiting", OTHERWISE)]


def test_nothing_is_said_of_a_file_that_changed_while_another_is_not_there_yet(store: Store) -> None:
    subject = accepted(store, files={LESSON: (NEW, OLD), OTHER_FILE: OTHER})
    written(store, subject, ON_A_BRANCH)
    assert settled(store, {LESSON: OTHER}) == []
    assert settled(store, {LESSON: OTHER, OTHER_FILE: OTHER}) == [(subject, "waiting", OTHERWISE)]


def test_a_name_that_is_no_place_is_never_published(store: Store) -> None:
    subject = accepted(store, files={"lessons/../x.yaml": NEW})
    written(store, subject)
    assert settled(store, {"lessons/../x.yaml": NEW}) == []


def test_what_was_decided_anew_while_it_is_looked_at_is_skipped(store: Store) -> None:
    subject = accepted(store, files={LESSON: (NEW, OLD)})
    written(store, subject, ON_A_BRANCH)

    def meanwhile(entry: OutboxEntry) -> bool:
        store.move(entry.subject, "screened", version=3, reasons=["unclear"], by="editor:c:1")
        return True

    found = list(settle(store, {LESSON: sha(OTHER)}, SITE, meanwhile))
    assert results(found) == [(subject, "skipped")]
    assert found[0].said.startswith("was decided anew meanwhile: ")


def test_a_page_has_the_address_of_the_site() -> None:
    entry = OutboxEntry(1, "s", 1, "playbooks/a-b.yaml", "", None, OutboxState.WRITTEN, "", None, None)
    assert page_of("https://a.example", [entry]) == page_of("https://a.example/", [entry])
    assert page_of("https://a.example/", [entry]) == "https://a.example/playbooks/a-b/"


# Whether a branch is merged, in a repository


class Repository:
    """A repository with one lesson, and a branch that changed it; `entry` is what was put on that branch."""

    def __init__(self, folder: Path) -> None:
        self.top = folder
        (folder / "content" / "lessons").mkdir(parents=True)
        git(folder, "init", "--quiet", "--initial-branch=main")
        self.commit("fix: Look once.\nold: line\n", "Begin")
        git(folder, "switch", "--quiet", "-c", "work")
        self.text = "fix: Look twice.\nnew: line\nnew: line\n"
        self.commit(self.text, "Change")
        self.at = git(folder, "rev-parse", "HEAD")[:12]
        git(folder, "switch", "--quiet", "main")
        self.subject = an_id("sub", 1)
        self.git = Git(folder / "content", GIT_ENVIRONMENT)

    def commit(self, text: str, message: str) -> None:
        (self.top / "content" / LESSON).write_text(text)
        git(self.top, "add", "content")
        git(self.top, "commit", "--quiet", "-m", message)

    def merged(self, went: str = "", created: str = "2026-11-20T12:00:00Z") -> bool:
        where = went or f"branch accepted/x at {self.at}"
        entry = OutboxEntry(1, self.subject, 2, LESSON, self.text, "base", OutboxState.WRITTEN, created, None, where)
        return is_merged(self.git, entry)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """One for all that changes nothing in it."""
    return Repository(tmp_path_factory.mktemp("kept"))


@pytest.mark.parametrize("went", ["the content folder", "branch accepted/x at 0123456789ab", "x branch y at abc"])
def test_without_its_commit_nothing_tells_that_a_change_is_there(kept: Repository, went: str) -> None:
    assert not kept.merged(went=went)


@pytest.mark.slow
def test_a_commit_that_is_merged_or_that_names_the_submission_and_is_not_older_is_enough(tmp_path: Path) -> None:
    squashed, merged = Repository(tmp_path / "squashed"), Repository(tmp_path / "merged")
    assert not merged.merged()
    git(merged.top, "merge", "--quiet", "--no-ff", "-m", "Merge", "work")
    assert merged.merged()
    squashed.commit("fix: Look otherwise.\n", f"Change\n\nSubmission: {squashed.subject}\n")
    assert squashed.merged(created="2020-01-01T00:00:00Z")
    assert not squashed.merged(created="2100-01-01T00:00:00Z"), "it is of an older decision"
    squashed.subject = "no id"
    assert not squashed.merged(created="2020-01-01T00:00:00Z")
