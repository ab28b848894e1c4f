"""Decisions: what each leaves behind, what is refused, and that of two editors at once one wins."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from library.content.formatting import format_bytes
from library.records.schemas import schema_line
from library.records.vocabulary import Decision, SubmissionState
from tests.builders import BOOK, LESSON, PLAYBOOK, TASK, TODAY, complete, put, titled
from tests.writeapi.review.conftest import on_both
from tests.writeapi.review.desk import (
    BOOK_FILE,
    a_contributor,
    a_desk,
    a_payload,
    an_editor,
    content_of,
    reported,
    sent,
    texts_of,
)
from tests.writeapi.store.builders import an_id, count, rows, ticking
from writeapi.review.decisions import decide
from writeapi.review.decisions.decide import EditRefused
from writeapi.review.decisions.texts import MAX_CHARACTERS, MAX_FILES, digest, try_texts
from writeapi.review.services import ReviewServices
from writeapi.store import Store
from writeapi.store.engine import Conflict, NotFound
from writeapi.store.records import Member, SubmissionRecord

IT_HANGS = LESSON.replace("The stress run is green without the fix too", "It hangs")
LESSONS = {"lessons/it-hangs.yaml": f"{schema_line('lessons/it-hangs.yaml')}\n{IT_HANGS}"}
"""A whole lesson, ready to be accepted."""


@pytest.fixture
def editor(store: Store) -> Member:
    return an_editor(store)


@pytest.fixture
def desk(store: Store, tmp_path: Path) -> ReviewServices:
    return a_desk(store, tmp_path)


def codes(refused: pytest.ExceptionInfo[EditRefused]) -> set[str]:
    return {problem.code for problem in refused.value.problems}


def state(desk: ReviewServices, subject: str) -> tuple[str, int]:
    found = desk.store.submission(subject) or desk.store.run(subject)
    assert found is not None
    return found.state, found.version


def assert_untouched(desk: ReviewServices, submission: SubmissionRecord) -> None:
    """Nothing was decided: the same state and version, the same steps, an empty outbox."""
    assert desk.store.submission(submission.id) == submission
    assert desk.store.outbox() == []


def a_correction(desk: ReviewServices) -> tuple[SubmissionRecord, str]:
    """A correction, and the file with the change that an editor made."""
    wanted = sent(desk.store, kind="correction", playbook=BOOK)
    return wanted, PLAYBOOK.replace("a hundred times", "two hundred times")


# --- what the desk shows


def test_the_desk_shows_what_was_sent_and_what_it_would_become(desk: ReviewServices) -> None:
    wanted = sent(desk.store, kind="lesson", title="It hangs", playbook=BOOK)
    item = decide.item(desk, wanted.id)
    assert (item.kind, item.record.state, item.record.version, item.revision) == ("lesson", "screened", 2, 0)
    assert [file.file for file in item.files] == ["lessons/it-hangs.yaml"]
    assert [problem.field for problem in item.tried.problems] == ["fix", "sources[0].title", "sources[0].url"]
    assert item.actions == ("accept", "reject", "request_changes", "edit")
    assert [step.became for step in item.steps] == ["queued", "screened"]
    assert (item.olds, item.entries) == ({}, ())


def test_the_desk_shows_what_a_report_would_change(desk: ReviewServices) -> None:
    name = reported(desk.store, what_changed="Nothing.")
    item = decide.item(desk, name)
    assert (item.kind, item.actions) == ("run", ("approve", "reject", "promote"))
    assert [file.file for file in item.files] == [f"runs/{BOOK}/{name}.yaml"]
    assert item.tried.problems == ()
    assert set(item.tried.verdicts) == {BOOK}


def test_a_report_that_teaches_nothing_is_not_promoted(desk: ReviewServices) -> None:
    assert decide.item(desk, reported(desk.store)).actions == ("approve", "reject")


def test_what_is_not_there_is_not_found(desk: ReviewServices, editor: Member) -> None:
    for name in ("", "run_x", "sub_../x", an_id("sub", "none"), an_id("run", "none"), "' OR 1=1 --"):
        with pytest.raises(NotFound):
            decide.item(desk, name)
        with pytest.raises(NotFound):
            decide.conclude(desk, editor, Decision.REJECT, name, 1, ["spam"], None)
        with pytest.raises(NotFound):
            decide.accept(desk, editor, name, 1, LESSONS)


def test_the_present_text_stands_beside_a_correction(desk: ReviewServices) -> None:
    wanted, _ = a_correction(desk)
    item = decide.item(desk, wanted.id)
    assert item.olds == {BOOK_FILE: PLAYBOOK}
    moved = format_bytes(PLAYBOOK.replace("updated: 2026-11-01", f"updated: {TODAY}").encode(), BOOK_FILE)
    assert isinstance(moved, bytes)
    assert texts_of(item.files) == {BOOK_FILE: moved.decode()}


EDIT = "Instead of:\n> Run the test a hundred times.\n\nWrite:\n> Run the test 200 times.\n> Then again.\n\nToo few."


def test_an_edit_of_a_passage_is_made_in_the_draft(desk: ReviewServices) -> None:
    wanted = sent(desk.store, kind="correction", playbook=BOOK, body=EDIT)
    item = decide.item(desk, wanted.id)
    [text] = texts_of(item.files).values()
    moved = PLAYBOOK.replace("updated: 2026-11-01", f"updated: {TODAY}")
    edit = "detail: |-\n      Run the test 200 times.\n      Then again."
    new = moved.replace("detail: Run the test a hundred times.", edit)
    assert text.encode() == format_bytes(new.encode(), BOOK_FILE)
    assert item.tried.problems == ()


@pytest.mark.parametrize(
    "body",
    [
        EDIT.replace("a hundred", "ten"),  # it stands nowhere
        EDIT.replace("Run the test a hundred times.", "es"),  # it stands in many places
        EDIT.replace("Run the test a hundred times.", ""),
        EDIT.replace("Write:", "Better:"),
        "Please: " + EDIT,
    ],
)
def test_an_edit_of_what_is_not_there_once_is_left_to_the_editor(desk: ReviewServices, body: str) -> None:
    wanted = sent(desk.store, kind="correction", playbook=BOOK, body=body)
    moved = format_bytes(PLAYBOOK.replace("updated: 2026-11-01", f"updated: {TODAY}").encode(), BOOK_FILE)
    assert isinstance(moved, bytes)
    assert texts_of(decide.item(desk, wanted.id).files) == {BOOK_FILE: moved.decode()}


# --- drafts


def test_a_saved_draft_is_what_the_desk_shows(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="lesson")
    assert decide.save(desk, editor, wanted.id, {"lessons/x.yaml": "title: x\r\n---\r\n"}, 0, version=2) == 1
    assert decide.save(desk, editor, wanted.id, {"lessons/x.yaml": "title: ["}, 1, version=2) == 2
    item = decide.item(desk, wanted.id)
    assert (texts_of(item.files), item.revision) == ({"lessons/x.yaml": "title: ["}, 2)
    assert item.tried.problems


@on_both
def test_of_two_drafts_at_once_one_is_kept(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="lesson")
    outcomes = at_once(
        6, lambda number: decide.save(desk, editor, wanted.id, {"lessons/x.yaml": f"{number}"}, 0, version=2)
    )
    lost = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
    assert (outcomes.count(1), len(lost)) == (1, 5)
    assert all("ann was faster: a draft was saved" in str(error) for error in lost)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["site.yaml", "runs/x/run_a.yaml", "../x.yaml", "lessons/X.yaml", "tasks/search.yaml"])
def test_a_draft_has_only_names_of_editors(desk: ReviewServices, editor: Member, name: str) -> None:
    wanted = sent(desk.store, kind="lesson")
    for act in (
        lambda: decide.save(desk, editor, wanted.id, {name: "a: b"}, 0, version=2),
        lambda: decide.accept(desk, editor, wanted.id, 2, {**LESSONS, name: "a: b"}),
    ):
        with pytest.raises(EditRefused) as refused:
            act()
        assert codes(refused) == {"file-name"}
    assert_untouched(desk, wanted)
    assert desk.store.draft(wanted.id) is None
    assert [problem.code for problem in try_texts(desk, {name: "a: b"}).problems] == ["file-name"]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["a: \0", "a: \ud800"])
def test_what_no_file_can_hold_is_not_kept(desk: ReviewServices, editor: Member, text: str) -> None:
    wanted = sent(desk.store, kind="lesson")
    with pytest.raises(EditRefused):
        decide.save(desk, editor, wanted.id, {"lessons/x.yaml": text}, 0, version=2)
    with pytest.raises(EditRefused):
        decide.accept(desk, editor, wanted.id, 2, {"lessons/x.yaml": text})
    assert try_texts(desk, {"lessons/x.yaml": text}).problems
    assert_untouched(desk, wanted)


def test_nothing_is_saved_once_it_is_decided(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="lesson")
    decide.conclude(desk, editor, Decision.REJECT, wanted.id, 2, ["spam"], None)
    with pytest.raises(Conflict, match="rejected"):
        decide.save(desk, editor, wanted.id, LESSONS, 0, version=2)


# --- accepting


@on_both
def test_what_is_accepted_goes_to_the_outbox_in_canonical_form(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="lesson")
    decide.save(desk, editor, wanted.id, LESSONS, 0, version=2)
    text = "updated: '2026-11-01'\r\n" + IT_HANGS.replace("updated: 2026-11-01\n", "")
    decide.accept(desk, editor, wanted.id, 2, {"lessons/it-hangs.yaml": text}, "Thanks.", revision=1)
    assert state(desk, wanted.id) == ("accepted", 3)
    (entry,) = desk.store.outbox("waiting")
    assert (entry.subject, entry.version, entry.file, entry.base) == (wanted.id, 3, "lessons/it-hangs.yaml", None)
    assert entry.text == LESSONS["lessons/it-hangs.yaml"]
    assert format_bytes(entry.text.encode(), entry.file) == entry.text.encode()
    last = desk.store.steps(wanted.id)[-1]
    assert (last.became, last.by, last.note) == ("accepted", "editor ann", "Thanks.")
    item = decide.item(desk, wanted.id)
    assert (texts_of(item.files), item.revision, item.actions) == (LESSONS, 0, ("send_back",))
    assert item.entries == (entry,)


def test_a_first_draft_with_empty_places_is_not_accepted(desk: ReviewServices, editor: Member) -> None:
    payload = a_payload(what_went_wrong=["It hung."])
    wanted = sent(desk.store, kind="playbook", payload=payload)
    files = decide.item(desk, wanted.id).files
    with pytest.raises(EditRefused) as refused:
        decide.accept(desk, editor, wanted.id, 2, texts_of(files))
    assert codes(refused) == {"empty"}
    assert {problem.file for problem in refused.value.problems} == {file.file for file in files}
    assert all(problem.line > 1 for problem in refused.value.problems)
    assert_untouched(desk, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "a: [", "- a", "title: x", LESSON + "tags: &x []\n", "x" * 300_000, "a: b\n" * 9])
def test_what_the_checks_refuse_is_not_accepted(desk: ReviewServices, editor: Member, text: str) -> None:
    wanted = sent(desk.store, kind="lesson")
    with pytest.raises(EditRefused) as refused:
        decide.accept(desk, editor, wanted.id, 2, {"lessons/x.yaml": text})
    assert "lessons/x.yaml:" in str(refused.value)
    assert_untouched(desk, wanted)


def test_all_problems_of_all_files_are_told_at_once(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="lesson")
    texts = {"lessons/x.yaml": LESSON.replace(f"- {BOOK}", "- gone"), "tasks/y.yaml": "name: y\n", BOOK_FILE: PLAYBOOK}
    with pytest.raises(EditRefused) as refused:
        decide.accept(desk, editor, wanted.id, 2, texts)
    assert codes(refused) == {"lessons-name-known-playbooks", "missing-field", "place-taken", "unquoted"}
    assert_untouched(desk, wanted)


@pytest.mark.slow
def test_a_new_playbook_and_its_task_are_tried_together(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="playbook", payload=a_payload())
    book = titled(complete(PLAYBOOK), "Tune a piano").replace("task: fix-flaky-tests", "task: tune-a-piano")
    texts = {"playbooks/tune-a-piano.yaml": book, "tasks/tune-a-piano.yaml": TASK.replace("Fix flaky tests", "Tune")}
    decide.accept(desk, editor, wanted.id, 2, texts)
    assert [entry.file for entry in desk.store.outbox("waiting")] == list(texts)


def test_a_broken_task_beside_a_playbook_is_told_once(desk: ReviewServices) -> None:
    book = titled(complete(PLAYBOOK), "Tune a piano").replace("task: fix-flaky-tests", "task: tune-a-piano")
    tried = try_texts(desk, {"playbooks/tune-a-piano.yaml": book, "tasks/tune-a-piano.yaml": "name: Tune\n"})
    assert {problem.file for problem in tried.problems} == {"tasks/tune-a-piano.yaml"}


def test_a_new_file_takes_no_place_that_is_taken(desk: ReviewServices, editor: Member) -> None:
    put(content_of(desk), "lessons/it-hangs.yaml", titled(LESSON, "Another"))
    wanted = sent(desk.store, kind="lesson")
    with pytest.raises(EditRefused) as refused:
        decide.accept(desk, editor, wanted.id, 2, LESSONS)
    assert codes(refused) == {"place-taken"}
    assert_untouched(desk, wanted)


def test_the_first_draft_avoids_a_name_that_is_on_its_way(desk: ReviewServices, editor: Member) -> None:
    first, second = (sent(desk.store, name, kind="lesson", title="It hangs") for name in "ab")
    decide.accept(desk, editor, first.id, 2, LESSONS)
    assert [file.file for file in decide.item(desk, second.id).files] == ["lessons/it-hangs-2.yaml"]


@pytest.mark.slow
def test_a_correction_keeps_what_it_was_made_from(desk: ReviewServices, editor: Member) -> None:
    wanted, text = a_correction(desk)
    decide.accept(desk, editor, wanted.id, 2, {BOOK_FILE: text})
    (entry,) = desk.store.outbox("waiting")
    assert entry.text is not None
    assert entry.text.encode() == format_bytes(text.encode(), BOOK_FILE)
    assert entry.base == hashlib.sha256((content_of(desk) / BOOK_FILE).read_bytes()).hexdigest()


def test_a_correction_that_changes_nothing_is_not_accepted(desk: ReviewServices, editor: Member) -> None:
    wanted, _ = a_correction(desk)
    with pytest.raises(EditRefused) as refused:
        decide.accept(desk, editor, wanted.id, 2, {BOOK_FILE: PLAYBOOK})
    assert codes(refused) == {"nothing-changed"}
    assert_untouched(desk, wanted)


def test_of_several_files_only_those_that_change_are_sent(desk: ReviewServices, editor: Member) -> None:
    wanted, _ = a_correction(desk)
    decide.accept(desk, editor, wanted.id, 2, {BOOK_FILE: PLAYBOOK, **LESSONS})
    assert [entry.file for entry in desk.store.outbox("waiting")] == list(LESSONS)


@pytest.mark.slow
def test_a_file_that_changed_meanwhile_is_not_overwritten(desk: ReviewServices, editor: Member) -> None:
    wanted, text = a_correction(desk)
    decide.save(desk, editor, wanted.id, {BOOK_FILE: text}, 0, version=2)
    put(content_of(desk), BOOK_FILE, PLAYBOOK.replace("1-4 hours", "1-5 hours"))
    assert [problem.code for problem in decide.item(desk, wanted.id).tried.problems] == ["base-changed"]
    with pytest.raises(EditRefused) as refused:
        decide.accept(desk, editor, wanted.id, 2, {BOOK_FILE: text})
    assert codes(refused) == {"base-changed"}
    assert state(desk, wanted.id) == ("screened", 2)
    merged = {BOOK_FILE: text.replace("1-4", "1-5")}
    with pytest.raises(EditRefused) as refused:
        decide.save(desk, editor, wanted.id, merged, 1, version=2)
    assert codes(refused) == {"base-changed"}
    assert decide.item(desk, wanted.id).stale == {BOOK_FILE}
    now = {BOOK_FILE: digest(decide.item(desk, wanted.id).olds[BOOK_FILE])}
    decide.save(desk, editor, wanted.id, merged, 1, now, version=2)
    assert decide.item(desk, wanted.id).stale == frozenset()
    decide.accept(desk, editor, wanted.id, 2, {BOOK_FILE: text.replace("1-4", "1-5")}, revision=2)
    assert state(desk, wanted.id) == ("accepted", 3)


@pytest.mark.slow
def test_what_was_sent_back_for_a_changed_file_does_not_undo_that_change(desk: ReviewServices, editor: Member) -> None:
    wanted, text = a_correction(desk)
    decide.accept(desk, editor, wanted.id, 2, {BOOK_FILE: text})
    theirs = PLAYBOOK.replace("1-4 hours", "1-5 hours")
    put(content_of(desk), BOOK_FILE, theirs)
    decide.conclude(desk, editor, Decision.SEND_BACK, wanted.id, 3, ["base-changed"], None)
    assert decide.item(desk, wanted.id).stale == {BOOK_FILE}
    for act in (
        lambda: decide.accept(desk, editor, wanted.id, 4, {BOOK_FILE: text}),
        lambda: decide.save(desk, editor, wanted.id, {BOOK_FILE: text}, 0, version=4),
    ):
        with pytest.raises(EditRefused) as refused:
            act()
        assert codes(refused) == {"base-changed"}
    assert decide.begin_again(desk, editor, wanted.id, 4, 0) == 1
    item = decide.item(desk, wanted.id)
    assert (texts_of(item.files), item.stale, item.tried.problems) == ({BOOK_FILE: theirs}, frozenset(), ())
    decide.accept(
        desk, editor, wanted.id, 4, {BOOK_FILE: theirs.replace("hundred times.", "thousand times.")}, revision=1
    )
    assert state(desk, wanted.id) == ("accepted", 5)


def test_a_text_that_was_compared_is_accepted_over_the_file_as_it_was_shown(
    desk: ReviewServices, editor: Member
) -> None:
    wanted, text = a_correction(desk)
    decide.save(desk, editor, wanted.id, {BOOK_FILE: text}, 0, version=2)
    theirs = PLAYBOOK.replace("1-4 hours", "1-5 hours")
    put(content_of(desk), BOOK_FILE, theirs)
    with pytest.raises(EditRefused) as refused:
        decide.accept(desk, editor, wanted.id, 2, {BOOK_FILE: text}, bases={BOOK_FILE: digest(PLAYBOOK)}, revision=1)
    assert codes(refused) == {"base-changed"}
    decide.accept(desk, editor, wanted.id, 2, {BOOK_FILE: text}, bases={BOOK_FILE: digest(theirs)}, revision=1)
    assert desk.store.outbox("waiting")[0].base == digest(theirs)


def test_what_was_shown_is_what_must_stand_there_still(desk: ReviewServices, editor: Member) -> None:
    wanted, text = a_correction(desk)
    shown = {BOOK_FILE: decide.item(desk, wanted.id).files[0].base or ""}
    put(content_of(desk), BOOK_FILE, PLAYBOOK.replace("1-4 hours", "1-5 hours"))
    for act in (
        lambda: decide.save(desk, editor, wanted.id, {BOOK_FILE: text}, 0, shown, version=2),
        lambda: decide.accept(desk, editor, wanted.id, 2, {BOOK_FILE: text}, None, shown),
    ):
        with pytest.raises(EditRefused) as refused:
            act()
        assert codes(refused) == {"base-changed"}


def test_another_file_may_be_changed_that_was_shown(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="correction")
    shown = {BOOK_FILE: digest(PLAYBOOK)}
    decide.accept(desk, editor, wanted.id, 2, {BOOK_FILE: PLAYBOOK.replace("1-4", "1-5")}, None, shown)
    (entry,) = desk.store.outbox("waiting")
    assert entry.base == shown[BOOK_FILE]


def test_a_file_that_is_gone_is_not_changed(desk: ReviewServices, editor: Member) -> None:
    put(content_of(desk), "lessons/x.yaml", LESSON)
    wanted, _ = a_correction(desk)
    text = LESSON.replace("mending", "changing")
    decide.save(desk, editor, wanted.id, {"lessons/x.yaml": text}, 0, version=2)
    (content_of(desk) / "lessons/x.yaml").unlink()
    with pytest.raises(EditRefused) as refused:
        decide.accept(desk, editor, wanted.id, 2, {"lessons/x.yaml": text})
    assert codes(refused) == {"base-changed"}


def test_accepting_nothing_is_refused(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="correction")
    with pytest.raises(EditRefused) as refused:
        decide.accept(desk, editor, wanted.id, 2, {})
    assert codes(refused) == {"files"}


def test_what_was_not_screened_is_not_accepted(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, screened=False, kind="lesson")
    with pytest.raises(Conflict, match="queued"):
        decide.accept(desk, editor, wanted.id, 1, LESSONS)


# --- the other decisions


def test_a_rejection_says_why(desk: ReviewServices, editor: Member) -> None:
    wanted, name = sent(desk.store, screened=False), reported(desk.store)
    decide.conclude(desk, editor, Decision.REJECT, wanted.id, 1, ["off-topic", "other"], "  Not a job. ")
    decide.conclude(desk, editor, Decision.REJECT, name, 1, ["not-credible"], "  ")
    assert (state(desk, wanted.id), state(desk, name)) == (("rejected", 2), ("rejected", 2))
    step, of_run = desk.store.steps(wanted.id)[-1], desk.store.steps(name)[-1]
    assert (step.reasons, step.note, step.by) == (("off-topic", "other"), "Not a job.", "editor ann")
    assert (of_run.reasons, of_run.note) == (("not-credible",), None)


@pytest.mark.slow
@pytest.mark.parametrize("reasons", [[], ["no such"], ["needs-fix"], ["spam", "<script>"], ["other"]])
def test_a_reason_is_one_of_the_list(desk: ReviewServices, editor: Member, reasons: list[str]) -> None:
    wanted = sent(desk.store)
    with pytest.raises(EditRefused) as refused:
        decide.conclude(desk, editor, Decision.REJECT, wanted.id, 2, reasons, None)
    assert "spam" in str(refused.value) or "note" in str(refused.value)
    assert_untouched(desk, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("note", ["\0", "\ud800", "x" * 5000, "a\u202eb"], ids=range(4))
def test_a_note_is_text(desk: ReviewServices, editor: Member, note: str) -> None:
    wanted = sent(desk.store)
    for against in (Decision.REJECT, Decision.REQUEST_CHANGES):
        with pytest.raises(EditRefused):
            decide.conclude(desk, editor, against, wanted.id, 2, ["unclear"], note)
    with pytest.raises(EditRefused):
        decide.accept(desk, editor, wanted.id, 2, LESSONS, note)
    assert_untouched(desk, wanted)


def test_changes_are_asked_for_and_the_answer_begins_anew(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="lesson", title="First")
    decide.save(desk, editor, wanted.id, LESSONS, 0, version=2)
    decide.conclude(desk, editor, Decision.REQUEST_CHANGES, wanted.id, 2, ["needs-fix"], "What mends it?")
    assert decide.item(desk, wanted.id).actions == ()
    desk.store.move(wanted.id, SubmissionState.QUEUED, by="sender", title="Second")
    item = decide.item(desk, wanted.id)
    assert [file.file for file in item.files] == ["lessons/second.yaml"]
    assert item.actions == ("reject",)


@pytest.mark.slow
@on_both
def test_what_is_sent_back_begins_with_what_was_accepted(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="lesson")
    decide.save(desk, editor, wanted.id, {"lessons/other.yaml": "a: b"}, 0, version=2)
    decide.accept(desk, editor, wanted.id, 2, LESSONS, revision=1)
    decide.conclude(desk, editor, Decision.SEND_BACK, wanted.id, 3, ["check-failed"], None)
    assert state(desk, wanted.id) == ("screened", 4)
    assert desk.store.outbox("waiting") == []
    item = decide.item(desk, wanted.id)
    assert (texts_of(item.files), item.revision) == (LESSONS, 0)
    decide.accept(desk, editor, wanted.id, 4, texts_of(item.files))
    assert state(desk, wanted.id) == ("accepted", 5)


def test_only_a_submission_is_sent_back_or_asked_for_changes(desk: ReviewServices, editor: Member) -> None:
    name = reported(desk.store)
    with pytest.raises(NotFound):
        decide.conclude(desk, editor, Decision.REQUEST_CHANGES, name, 1, ["unclear"], None)
    with pytest.raises(NotFound):
        decide.conclude(desk, editor, Decision.SEND_BACK, name, 1, ["other"], "x")


def test_a_report_that_was_approved_is_withdrawn(desk: ReviewServices, editor: Member) -> None:
    name = reported(desk.store)
    with pytest.raises(Conflict):
        decide.conclude(desk, editor, Decision.WITHDRAW, name, None, ["takedown"], None)
    assert decide.approve(desk, editor, [(name, 1)]) == {}
    decide.conclude(desk, editor, Decision.WITHDRAW, name, None, ["takedown"], None)
    assert state(desk, name) == ("withdrawn", 3)
    with pytest.raises(Conflict):
        decide.conclude(desk, editor, Decision.WITHDRAW, name, None, ["takedown"], None)
    with pytest.raises(NotFound):
        decide.conclude(desk, editor, Decision.WITHDRAW, an_id("run", "none"), None, ["takedown"], None)


@pytest.mark.slow
@on_both
def test_a_playbook_is_withdrawn_as_a_tombstone_in_the_outbox(desk: ReviewServices, editor: Member) -> None:
    put(content_of(desk), "playbooks/other.yaml", titled(PLAYBOOK, "Tune a piano"))
    put(content_of(desk), BOOK_FILE, "# kept\n" + PLAYBOOK)
    decide.withdraw_playbook(desk, editor, BOOK, ["outdated"], "It does harm.", "other")
    (entry,) = desk.store.outbox("waiting")
    assert (entry.subject, entry.version, entry.file) == (f"playbook:{BOOK}", 1, BOOK_FILE)
    assert entry.text is not None
    assert "status: withdrawn\nstatus_reason: It does harm.\nreplaced_by: other\n" in entry.text
    assert entry.text.startswith(f"{schema_line(BOOK_FILE)}\n# kept\n")
    assert "updated: 2026-11-20\n" in entry.text
    (step,) = desk.store.steps(f"playbook:{BOOK}")
    assert (step.became, step.by, step.reasons, step.note) == (
        "withdrawn",
        "editor ann",
        ("outdated",),
        "It does harm.",
    )
    with pytest.raises((Conflict, EditRefused)):
        decide.withdraw_playbook(desk, editor, BOOK, ["outdated"], "It does harm.")
    assert len(desk.store.steps(f"playbook:{BOOK}")) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "note", "replaced_by", "error"),
    [
        ("gone", "Why.", None, NotFound),
        ("../x", "Why.", None, NotFound),
        (BOOK, None, None, EditRefused),
        (BOOK, "  ", None, EditRefused),
        (BOOK, "Why.", "gone", EditRefused),
        (BOOK, "Why.", "../x", EditRefused),
        (BOOK, "Why.", BOOK, EditRefused),
    ],
)
def test_a_tombstone_passes_the_checks_or_is_not_made(
    desk: ReviewServices,
    editor: Member,
    slug: str,
    note: str | None,
    replaced_by: str | None,
    error: type[Exception],
) -> None:
    with pytest.raises(error):
        decide.withdraw_playbook(desk, editor, slug, ["outdated"], note, replaced_by)
    assert desk.store.outbox() == []
    assert desk.store.steps(f"playbook:{slug}") == ()


@pytest.mark.slow
@on_both
def test_withdrawing_a_playbook_at_once_happens_once(desk: ReviewServices, editor: Member) -> None:
    outcomes = at_once(6, lambda _: decide.withdraw_playbook(desk, editor, BOOK, ["outdated"], "Why."))
    assert outcomes.count(None) == 1
    assert all(outcome is None or isinstance(outcome, Conflict | EditRefused) for outcome in outcomes)
    assert len(desk.store.outbox("waiting")) == 1


# --- run reports


@on_both
def test_reports_are_approved_together_and_the_odd_one_is_told(desk: ReviewServices, editor: Member) -> None:
    good = [reported(desk.store, name) for name in "abc"]
    bad = {
        "gone": reported(desk.store, "gone", playbook="gone"),
        "early": reported(desk.store, "early", contributor_id=a_contributor(desk.store).id, playbook_version="x"),
        "rejected": reported(desk.store, "rejected"),
    }
    decide.conclude(desk, editor, Decision.REJECT, bad["rejected"], 1, ["spam"], None)
    none = an_id("run", "none")
    names = [*good, *bad.values(), none]
    refused = decide.approve(desk, editor, [(name, 1) for name in names])
    assert set(refused) == {*bad.values(), none}
    assert "ann was faster: it is rejected" in refused[bad["rejected"]]
    assert "playbook_version" in refused[bad["early"]]
    assert [state(desk, name)[0] for name in good] == ["approved"] * 3
    assert state(desk, bad["gone"]) == ("pending", 1)
    assert {entry.subject for entry in desk.store.outbox("waiting")} == set(good)


def test_a_report_of_a_former_slug_is_approved(store: Store, editor: Member, tmp_path: Path) -> None:
    desk = a_desk(store, tmp_path, {BOOK_FILE: PLAYBOOK + "aliases:\n  - old-name\n"})
    name = reported(store, playbook="old-name")
    assert [file.file for file in decide.item(desk, name).files] == [f"runs/{BOOK}/{name}.yaml"]
    assert decide.approve(desk, editor, [(name, 1)]) == {}


@pytest.mark.slow
@on_both
def test_replaying_an_approval_changes_nothing(desk: ReviewServices, editor: Member, url: str) -> None:
    name = reported(desk.store)
    assert decide.approve(desk, editor, [(name, 1)]) == {}
    before = rows(url, "SELECT * FROM runs"), count(url, "audit"), count(url, "outbox")
    for version in (1, 2):
        assert set(decide.approve(desk, editor, [(name, version), (name, version)])) == {name}
    assert (rows(url, "SELECT * FROM runs"), count(url, "audit"), count(url, "outbox")) == before


def test_a_report_named_twice_is_approved_once(desk: ReviewServices, editor: Member) -> None:
    name = reported(desk.store)
    assert decide.approve(desk, editor, [(name, 1), (name, 1)]) == {}
    assert state(desk, name) == ("approved", 2)


# --- two editors at once


def at_once(number: int, act: Callable[[int], Any]) -> list[Any]:
    """What so many threads got that began together: results, or the errors that were raised."""
    outcomes: list[Any] = [None] * number
    barrier = threading.Barrier(number)

    def run(place: int) -> None:
        barrier.wait(timeout=60)
        try:
            outcomes[place] = act(place)
        except (Conflict, EditRefused) as error:
            outcomes[place] = error

    threads = [threading.Thread(target=run, args=(place,)) for place in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return outcomes


@pytest.mark.slow
@on_both
def test_of_two_editors_at_once_one_wins_and_the_other_hears_who(
    desk: ReviewServices, editor: Member, url: str
) -> None:
    other = an_editor(desk.store, "bea")
    second = a_desk(Store(url, clock=ticking(), wait=5), content_of(desk).parent)
    wanted = sent(desk.store, kind="lesson")

    def act(place: int) -> None:
        if place % 2:
            decide.accept(second, other, wanted.id, 2, LESSONS)
        else:
            decide.conclude(desk, editor, Decision.REJECT, wanted.id, 2, ["spam"], None)

    outcomes = at_once(4, act)
    second.store.close()
    lost = [str(outcome) for outcome in outcomes if outcome is not None]
    assert len(lost) == 3
    last = desk.store.steps(wanted.id)[-1]
    assert all(f"{last.by} was faster: it is {last.became} since {last.at}." in text for text in lost)
    assert state(desk, wanted.id)[1] == 3
    assert len(desk.store.outbox("waiting")) == (1 if last.became == "accepted" else 0)


@pytest.mark.slow
@on_both
def test_reports_approved_by_two_editors_at_once_count_once(desk: ReviewServices, editor: Member) -> None:
    names = [reported(desk.store, number) for number in range(8)]
    chosen = [(name, 1) for name in names]
    outcomes = at_once(4, lambda place: decide.approve(desk, editor, chosen if place % 2 else chosen[::-1]))
    assert [state(desk, name) for name in names] == [("approved", 2)] * 8
    assert len(desk.store.outbox("waiting")) == 8
    assert sum(8 - len(outcome) for outcome in outcomes) == 8


# --- what waits in the outbox, and what an editor sent


def test_what_waits_is_no_ground_to_build_on(desk: ReviewServices, editor: Member) -> None:
    first, second = (sent(desk.store, name, kind="playbook", payload=a_payload()) for name in (1, 2))
    job = {"tasks/tune-a-piano.yaml": TASK.replace("Fix flaky tests", "Tune a piano") + "wanted: true\n"}
    decide.accept(desk, editor, first.id, 2, job)
    book = titled(complete(PLAYBOOK), "Tune a piano").replace("task: fix-flaky-tests", "task: tune-a-piano")
    with pytest.raises(EditRefused) as refused:
        decide.accept(desk, editor, second.id, 2, {"playbooks/tune-a-piano.yaml": book})
    assert codes(refused) == {"task-exists"}


@pytest.mark.slow
def test_somebody_else_decides_about_what_an_editor_sent(desk: ReviewServices, editor: Member) -> None:
    other = an_editor(desk.store, "bea")
    lesson = sent(desk.store, kind="lesson", contributor_id=editor.id)
    run, another = (reported(desk.store, name, lesson="L.", contributor_id=editor.id) for name in (1, 2))
    told: dict[str, Any] = {"to": "lesson", "title": "It waits", "problem": "It waits.", "fix": "Give it a key."}
    with pytest.raises(EditRefused, match="somebody else has to decide") as refused:
        decide.accept(desk, editor, lesson.id, 2, LESSONS)
    assert codes(refused) == {"own"}
    with pytest.raises(EditRefused, match="somebody else has to decide"):
        decide.promote(desk, editor, run, 1, **told)
    theirs = reported(desk.store, 3)
    assert set(decide.approve(desk, editor, [(run, 1), (theirs, 1)])) == {run}
    assert [state(desk, name)[0] for name in (lesson.id, run, theirs)] == ["screened", "pending", "approved"]
    decide.conclude(desk, editor, Decision.REJECT, another, 1, ["spam"], None)
    decide.accept(desk, other, lesson.id, 2, LESSONS, "Good.")
    assert decide.approve(desk, other, [(run, 1)]) == {}
    assert [desk.store.steps(name)[-1].note for name in (lesson.id, run)] == ["Good.", None]
    decide.conclude(desk, editor, Decision.WITHDRAW, run, None, ["unsafe"], None)


@pytest.mark.slow
def test_the_only_editor_decides_about_their_own_and_it_is_noted(desk: ReviewServices, editor: Member) -> None:
    an_editor(desk.store, "bea")
    desk.store.revoke_contributor("bea", by="operator", withdraw_runs=False)
    lesson = sent(desk.store, kind="lesson", contributor_id=editor.id)
    run, taught = (reported(desk.store, name, lesson="L.", contributor_id=editor.id) for name in (1, 2))
    decide.accept(desk, editor, lesson.id, 2, LESSONS, "Good.")
    assert decide.approve(desk, editor, [(run, 1)]) == {}
    told: dict[str, Any] = {"to": "lesson", "title": "Waiting", "problem": "It waits.", "fix": "Give it a key."}
    made = decide.promote(desk, editor, taught, 1, **told)
    notes = [desk.store.steps(lesson.id)[-1].note, desk.store.steps(run)[-1].note, desk.store.steps(made)[0].note]
    assert all("the only editor" in (note or "") for note in notes)
    assert (notes[0] or "").startswith("Good.")


@on_both
def test_a_draft_that_another_editor_saved_is_not_passed_over(desk: ReviewServices, editor: Member) -> None:
    wanted, other = sent(desk.store, kind="lesson"), an_editor(desk.store, "bea")
    decide.save(desk, other, wanted.id, {"lessons/other.yaml": "a: b"}, 0, version=2)
    for revision in (0, 2):
        with pytest.raises(Conflict, match="editor bea was faster: a draft was saved"):
            decide.accept(desk, editor, wanted.id, 2, LESSONS, revision=revision)
    assert_untouched(desk, wanted)
    assert decide.item(desk, wanted.id).revision == 1
    decide.accept(desk, editor, wanted.id, 2, LESSONS, revision=1)
    assert state(desk, wanted.id) == ("accepted", 3)


@on_both
def test_saving_and_accepting_at_once_loses_nothing_without_a_word(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="lesson")

    def act(number: int) -> int | None:
        if number % 2:
            return decide.save(desk, editor, wanted.id, {"lessons/x.yaml": f"{number}"}, 0, version=2)
        decide.accept(desk, editor, wanted.id, 2, LESSONS)
        return None

    outcomes = at_once(4, act)
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 3, outcomes
    assert (desk.store.draft(wanted.id) is None) == (state(desk, wanted.id)[0] == "accepted")


@on_both
def test_a_draft_of_the_text_before_an_answer_is_not_saved(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="lesson", title="First")
    decide.conclude(desk, editor, Decision.REQUEST_CHANGES, wanted.id, 2, ["needs-fix"], None)
    desk.store.move(wanted.id, SubmissionState.QUEUED, by="sender", title="Second")
    for version in (1, 2, 3):
        with pytest.raises(Conflict):
            decide.save(desk, editor, wanted.id, LESSONS, 0, version=version)
        with pytest.raises(Conflict):
            desk.store.save_draft(wanted.id, (), 0, by="editor:c:1", version=version)
    assert desk.store.draft(wanted.id) is None


def test_a_draft_is_no_larger_than_what_may_be_accepted(desk: ReviewServices, editor: Member) -> None:
    wanted = sent(desk.store, kind="lesson")
    many = {f"lessons/x-{number}.yaml": "a: b" for number in range(MAX_FILES + 1)}
    for texts, code in ((many, "files"), ({"lessons/x.yaml": "x" * (MAX_CHARACTERS + 1)}, "too-long")):
        for act in (
            lambda texts=texts: decide.save(desk, editor, wanted.id, texts, 0, version=2),
            lambda texts=texts: decide.accept(desk, editor, wanted.id, 2, texts),
        ):
            with pytest.raises(EditRefused) as refused:
                act()
            assert code in codes(refused)
    assert desk.store.draft(wanted.id) is None
