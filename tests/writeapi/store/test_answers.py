"""What becomes of an editor's draft when the sender answers: it was made of the former text."""

from __future__ import annotations

import pytest

from library.records.vocabulary import SubmissionState
from tests.writeapi.store.builders import a_submission, an_id
from writeapi.store import Store
from writeapi.store.engine import Conflict
from writeapi.store.records import DraftFile, Review

FILES = (DraftFile("lessons/x.yaml", "title: From the former text\n"),)
NAME = an_id("sub", 1)


def screened(store: Store) -> None:
    found = store.submission(NAME)
    assert found is not None
    store.screened(Review(NAME, found.version, "editor", ()), reject=False)


@pytest.fixture
def drafted(store: Store) -> Store:
    """A store with a submission of which an editor saved a draft twice."""
    store.add(a_submission(1), None)
    store.add(a_submission(2), None)
    screened(store)
    for revision in range(2):
        store.save_draft(NAME, FILES, revision, by="editor:c:7", version=2)
    store.save_draft(an_id("sub", 2), FILES, 0, by="editor:c:7", version=1)
    return store


def test_a_draft_stays_while_changes_are_asked_for(drafted: Store) -> None:
    drafted.move(NAME, "changes_requested", by="editor:c:7", reasons=["unclear"])
    draft = drafted.draft(NAME)
    assert draft is not None
    assert (draft.files, draft.revision) == (FILES, 2)


def test_a_first_draft_is_saved_once(drafted: Store) -> None:
    with pytest.raises(Conflict):
        drafted.save_draft(NAME, (), 0, by="editor:c:8", version=2)
    draft = drafted.draft(NAME)
    assert draft is not None
    assert (draft.files, draft.by) == (FILES, "editor:c:7")


def test_an_answer_drops_the_draft_of_the_former_text_and_no_other(drafted: Store) -> None:
    drafted.move(NAME, "changes_requested", by="editor:c:7", reasons=["unclear"])
    drafted.move(NAME, SubmissionState.QUEUED, by="sender", body="Another text.")
    assert drafted.draft(NAME) is None
    assert drafted.draft(an_id("sub", 2)) is not None
    with pytest.raises(Conflict):
        drafted.save_draft(NAME, FILES, 2, by="editor:c:7", version=4)
    screened(drafted)
    assert drafted.draft(NAME) is None
