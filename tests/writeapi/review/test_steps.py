"""What each decision leaves behind, whole: every step with who, why and which version, the outbox, and the refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from library.records.schemas import schema_line
from library.records.vocabulary import Decision, SubmissionState
from tests.builders import BOOK, LESSON, PLAYBOOK
from tests.writeapi.review.desk import BOOK_FILE, a_contributor, a_desk, an_editor, content_of, reported, sent
from tests.writeapi.store.builders import a_run, a_submission, an_id, rows
from writeapi.review.decisions import decide
from writeapi.review.decisions.decide import EditRefused
from writeapi.review.decisions.texts import digest
from writeapi.review.services import ReviewServices
from writeapi.store import Store
from writeapi.store.engine import Conflict, NotFound
from writeapi.store.records import DraftFile, Finding, Member, Review

FILE = "lessons/it-hangs.yaml"
TEXT = f"{schema_line(FILE)}\n{LESSON.replace('The stress run is green without the fix too', 'It hangs')}"
TOLD: dict[str, Any] = {"title": "The runner hangs", "problem": "It waits for a key.", "fix": "Give it `--yes`."}


@pytest.fixture
def desk(store: Store, tmp_path: Path) -> ReviewServices:
    return a_desk(store, tmp_path)


@pytest.fixture
def editor(store: Store) -> Member:
    return an_editor(store)


def steps(store: Store, subject: str) -> list[tuple[str, str, tuple[str, ...], str | None, int]]:
    return [(step.became, step.by, step.reasons, step.note, step.version) for step in store.steps(subject)]


def waiting(store: Store, *states: str) -> list[tuple[str, int, str, str]]:
    return [(entry.subject, entry.version, entry.file, entry.state) for entry in store.outbox(*states)]


def refused(act: Callable[[], object]) -> list[tuple[str, str, str]]:
    """What was refused: code, field, message."""
    with pytest.raises(EditRefused) as error:
        act()
    return [(problem.code, problem.field, problem.message) for problem in error.value.problems]


def test_a_submission_from_its_sender_to_its_address(desk: ReviewServices, editor: Member) -> None:
    store = desk.store
    name = sent(store, kind="lesson", contributor_id=a_contributor(store).id).id
    decide.conclude(desk, editor, Decision.REQUEST_CHANGES, name, 2, ["unclear"], " Which? ")
    store.move(name, SubmissionState.QUEUED, by="sender", title="It hangs", body="All.")
    assert store.unscreened(9) == [name]
    store.screened(Review(name, 4, "accept", (Finding("a", "/b", "c"),)), reject=False)
    assert store.unscreened(9) == []
    assert decide.save(desk, editor, name, {FILE: TEXT}, 0, version=5) == 1
    decide.accept(desk, editor, name, 5, {FILE: TEXT}, "  ", revision=1)
    assert store.draft(name) is None
    decide.conclude(desk, editor, Decision.SEND_BACK, name, 6, ["other"], "Not yet.")
    decide.accept(desk, editor, name, 7, {FILE: TEXT}, "Now.")
    (entry,) = store.outbox("waiting")
    assert store.written([entry], "there")
    assert not store.written([entry], "there again")
    store.move(name, "published", version=8, by="publisher", place="https://playbooks.example/lessons/it-hangs/")
    assert steps(store, name) == [
        ("queued", "cleo", (), None, 1),
        ("screened", "review-agent", (), None, 2),
        ("changes_requested", "editor ann", ("unclear",), "Which?", 3),
        ("queued", "sender", (), None, 4),
        ("screened", "review-agent", (), None, 5),
        ("accepted", "editor ann", (), None, 6),
        ("screened", "editor ann", ("other",), "Not yet.", 7),
        ("accepted", "editor ann", (), "Now.", 8),
        ("published", "publisher", (), None, 9),
    ]
    assert waiting(store) == [(name, 6, FILE, "cancelled"), (name, 8, FILE, "written")]
    found = store.submission(name)
    assert found is not None
    assert [(row.became, row.by) for row in found.history][:3] == [
        ("queued", f"c:{found.contributor_id}"),
        ("screened", "review-agent"),
        ("changes_requested", f"editor:c:{editor.id}"),
    ]
    assert (found.state, found.version, found.place) == ("published", 9, "https://playbooks.example/lessons/it-hangs/")
    review = store.review(name)
    assert review is not None
    assert (review.subject, review.version, review.advice, review.findings) == (
        name,
        4,
        "accept",
        (Finding("a", "/b", "c"),),
    )
    item = decide.item(desk, name)
    assert (item.kind, item.actions, item.by_editor, item.promoted, item.revision) == ("lesson", (), False, None, 0)
    assert [(file.file, file.text) for file in item.files] == [(FILE, TEXT)]


def test_a_report_from_its_sender_to_its_withdrawal(desk: ReviewServices, editor: Member, url: str) -> None:
    store = desk.store
    name, other = reported(store, lesson="Look."), reported(store, 2)
    assert store.unscreened(9) == [name, other]
    assert store.unscreened(1) == [name]
    store.screened(Review(name, 1, "editor", ()), reject=False)
    store.screened(Review(other, 1, "reject", ()), reject=True, reasons=["spam"])
    assert store.unscreened(9) == []
    with pytest.raises(Conflict, match=r"^It was screened meanwhile.$"):
        store.screened(Review(name, 1, "editor", ()), reject=False)
    with pytest.raises(Conflict, match=r"^It was decided meanwhile.$"):
        store.screened(Review(name, 2, "editor", ()), reject=False)
    with pytest.raises(Conflict, match=r"^It is pending: reject a pending report instead of withdrawing it.$"):
        decide.conclude(desk, editor, Decision.WITHDRAW, name, None, ["other"], "No.")
    assert decide.approve(desk, editor, [(name, 1), (other, 1)]) == {
        other: f"review-agent was faster: it is rejected since {store.steps(other)[-1].at}."
    }
    made = decide.promote(desk, editor, name, 2, "lesson", **TOLD)
    (of_run, of_lesson) = store.outbox("waiting")
    assert store.written([of_run], "there")
    decide.conclude(desk, editor, Decision.WITHDRAW, name, None, ["other"], " It was another's. ")
    assert steps(store, name) == [
        ("pending", "anonymous", (), None, 1),
        ("approved", "editor ann", (), None, 2),
        ("promoted", "editor ann", (), made, 2),
        ("withdrawn", "editor ann", ("other",), "It was another's.", 3),
    ]
    assert steps(store, other) == [
        ("pending", "anonymous", (), None, 1),
        ("rejected", "review-agent", ("spam",), None, 2),
    ]
    assert steps(store, made) == [
        ("screened", "editor ann", (), f"From the run report {name}.", 1),
        ("accepted", "editor ann", (), None, 2),
    ]
    assert waiting(store) == [
        (name, 2, f"runs/{BOOK}/{name}.yaml", "written"),
        (made, 2, of_lesson.file, "waiting"),
        (name, 3, f"runs/{BOOK}/{name}.yaml", "waiting"),
    ]
    assert rows(url, f"SELECT who, was FROM audit WHERE subject = '{name}' ORDER BY id") == [
        ("anonymous", None),
        (f"editor:c:{editor.id}", "pending"),
        (f"editor:c:{editor.id}", None),
        (f"editor:c:{editor.id}", "approved"),
    ]


@pytest.mark.slow
def test_what_may_be_done_with_each_state(desk: ReviewServices, editor: Member) -> None:
    queued, screened = sent(desk.store, 1, screened=False).id, sent(desk.store, 2).id
    actions = {name: decide.item(desk, name).actions for name in (queued, screened)}
    assert actions == {queued: ("reject",), screened: ("accept", "reject", "request_changes", "edit")}
    decide.conclude(desk, editor, Decision.REJECT, screened, 2, ["spam"], None)
    item = decide.item(desk, screened)
    assert (item.actions, item.files, item.stale, item.record.state, item.record.version) == (
        (),
        (),
        frozenset(),
        "rejected",
        3,
    )
    run = reported(desk.store, what_changed="Something.")
    assert decide.item(desk, run).actions == ("approve", "reject", "promote")
    assert decide.approve(desk, editor, [(run, 1)]) == {}
    assert decide.item(desk, run).actions == ("withdraw", "promote")
    decide.conclude(desk, editor, Decision.WITHDRAW, run, None, ["other"], "No.")
    assert decide.item(desk, run).actions == ()


@pytest.mark.parametrize("by_another", ["title: x\n", None])
def test_a_draft_of_a_file_that_changed_is_stale(
    desk: ReviewServices, editor: Member, tmp_path: Path, by_another: str | None
) -> None:
    name = sent(desk.store, kind="correction", playbook=BOOK).id
    assert decide.item(desk, name).stale == frozenset()
    decide.save(desk, editor, name, {BOOK_FILE: PLAYBOOK + "tags:\n  - ci\n"}, 0, version=2)
    assert decide.item(desk, name).stale == frozenset()
    path = tmp_path / "content" / BOOK_FILE
    path.unlink() if by_another is None else path.write_text(PLAYBOOK.replace("a hundred", "two hundred"))
    item = decide.item(desk, name)
    assert (item.stale, set(item.olds)) == (frozenset({BOOK_FILE}), set() if by_another is None else {BOOK_FILE})


@pytest.mark.slow
def test_a_known_failure_is_not_told_twice(desk: ReviewServices, editor: Member, tmp_path: Path) -> None:
    known = "failures:\n  - problem: It waits for a key.\n    fix: Give it `--yes`.\n"
    (tmp_path / "content" / BOOK_FILE).write_text(PLAYBOOK.replace("updated:", f"{known}updated:"))
    run = reported(desk.store, lesson="Look.")
    assert refused(lambda: decide.promote(desk, editor, run, 1, "failure", **TOLD)) == [
        ("duplicate", "failures", "the playbook knows this failure already")
    ]
    decide.promote(desk, editor, run, 1, "failure", **{**TOLD, "fix": "Another."})
    text = desk.store.outbox("waiting")[-1].text or ""
    assert text.count("It waits for a key.") == 2
    assert "contributors" not in text


def test_what_cannot_be_promoted(desk: ReviewServices, editor: Member) -> None:
    of_none = reported(desk.store, 1, lesson="Look.", playbook="no-such-playbook")
    silent, told = reported(desk.store, 2), reported(desk.store, 3, lesson="Look.")
    why = "This report cannot be promoted: "
    assert refused(lambda: decide.promote(desk, editor, of_none, 1, "lesson", **TOLD)) == [
        ("not-promotable", "", f"{why}its playbook is not in the library any more.")
    ]
    assert refused(lambda: decide.promote(desk, editor, silent, 1, "lesson", **TOLD)) == [
        ("not-promotable", "", f"{why}it says nothing that could be taught.")
    ]
    empty = {"title": "", "problem": "", "fix": ""}
    assert {found[1] for found in refused(lambda: decide.promote(desk, editor, told, 1, "lesson", **empty))} == set(
        empty
    )
    with pytest.raises(NotFound, match=r"^There is no report with this id.$"):
        decide.promote(desk, editor, an_id("run", "none"), 1, "lesson", **TOLD)
    decide.conclude(desk, editor, Decision.REJECT, told, 1, ["spam"], None)
    with pytest.raises(Conflict, match="It is rejected since"):
        decide.promote(desk, editor, told, 2, "lesson", **TOLD)
    assert desk.store.outbox() == []


def test_what_was_promoted_is_not_promoted_again(desk: ReviewServices, editor: Member) -> None:
    run = reported(desk.store, lesson="Look.")
    made = decide.promote(desk, editor, run, 1, "failure", **TOLD)
    assert refused(lambda: decide.promote(desk, editor, run, 2, "lesson", **TOLD)) == [
        ("promoted", "", f"This report was promoted already, to {made}.")
    ]


def test_a_lesson_names_where_it_was_told(desk: ReviewServices, editor: Member) -> None:
    run = reported(desk.store, what_changed="Something.", agent="claude-code")
    decide.promote(desk, editor, run, 1, "lesson", **TOLD, slug="another-name")
    entry = desk.store.outbox("waiting")[-1]
    assert (entry.file, entry.base) == ("lessons/another-name.yaml", None)
    assert entry.text == (
        f"{schema_line(entry.file)}\ntitle: The runner hangs\nproblem: It waits for a key.\nfix: Give it `--yes`.\n"
        f"agents:\n  - claude-code\nplaybooks:\n  - {BOOK}\nupdated: 2026-11-20\nsources:\n"
        f"  - title: Run report {run}\n    url: https://playbooks.example/playbooks/{BOOK}/\n"
    )


@pytest.mark.slow
def test_a_playbook_is_withdrawn_with_what_its_readers_are_told(desk: ReviewServices, editor: Member) -> None:
    assert [field for _, field, _ in refused(lambda: decide.withdraw_playbook(desk, editor, BOOK, ["other"], " "))] == [
        "note"
    ]
    with pytest.raises(NotFound, match=r"^There is no playbook of this slug, and no report with this id.$"):
        decide.withdraw_playbook(desk, editor, "no-such-playbook", ["other"], "It was unsafe.")
    decide.withdraw_playbook(desk, editor, BOOK, ["other"], " It was unsafe. ")
    subject = f"playbook:{BOOK}"
    assert steps(desk.store, subject) == [("withdrawn", "editor ann", ("other",), "It was unsafe.", 1)]
    (entry,) = desk.store.outbox()
    assert (entry.subject, entry.version, entry.file, entry.state) == (subject, 1, BOOK_FILE, "waiting")
    assert entry.base == digest(PLAYBOOK)
    assert (entry.text or "").endswith("updated: 2026-11-20\nstatus: withdrawn\nstatus_reason: It was unsafe.\n")
    with pytest.raises(Conflict, match=r"^It was withdrawn already, and waits for publishing.$"):
        decide.withdraw_playbook(desk, editor, BOOK, ["other"], "It was unsafe.")
    (desk_file := content_of(desk) / BOOK_FILE).write_text(entry.text or "")
    with pytest.raises(Conflict, match=r"^It is withdrawn already.$"):
        decide.withdraw_playbook(desk, editor, BOOK, ["other"], "It was unsafe.")
    assert desk_file.read_text() == entry.text


def test_the_store_itself_refuses_what_was_done_meanwhile(store: Store) -> None:
    store.add(a_submission(), None)
    name, files = an_id("sub", 1), [DraftFile(FILE, TEXT)]
    assert store.draft(name) is None
    assert store.save_draft(name, files, 0, by="editor:c:1", version=1) == 1
    for revision, version, why in (
        (0, 1, "Its draft was saved or dropped meanwhile."),
        (2, 1, "Its draft was saved or dropped meanwhile."),
        (1, 2, "It was changed meanwhile."),
    ):
        with pytest.raises(Conflict, match=rf"^{why}$"):
            store.save_draft(name, files, revision, by="editor:c:1", version=version)
    assert store.save_draft(name, files, 1, by="editor:c:2", version=1) == 2
    draft = store.draft(name)
    assert draft is not None
    assert (draft.files, draft.revision, draft.by) == (tuple(files), 2, "editor:c:2")
    store.screened(Review(name, 1, "editor", ()), reject=False)
    with pytest.raises(Conflict, match=r"^Its draft was saved or dropped meanwhile.$"):
        store.accept(name, [], by="editor:c:1", version=2, revision=1)
    store.add(a_run(), None)
    run, new = an_id("run", 1), a_submission("of-a-run", kind="lesson")
    with pytest.raises(Conflict, match=r"^It was changed meanwhile.$"):
        store.promote_run(run, 2, new, [], by="editor:c:1", note="n")
    store.promote_run(run, 1, new, [DraftFile(FILE, TEXT, None)], by="editor:c:1", note="n")
    with pytest.raises(Conflict, match=rf"^It was promoted already, to {new.id}.$"):
        store.promote_run(run, 2, new, [], by="editor:c:1", note="n")
    store.withdraw_playbook("playbook:x", [DraftFile(BOOK_FILE, "x", None)], by="editor:c:1", reasons=["a"], note="n")
    with pytest.raises(Conflict, match=r"^It was withdrawn already, and waits for publishing.$"):
        store.withdraw_playbook("playbook:x", [], by="editor:c:1", reasons=["a"], note="n")
    store.written(store.outbox("waiting"), "there")
    store.withdraw_playbook("playbook:x", [], by="editor:c:1", reasons=["a"], note="again")
    assert [(step[3], step[4]) for step in steps(store, "playbook:x")] == [("n", 1), ("again", 2)]
