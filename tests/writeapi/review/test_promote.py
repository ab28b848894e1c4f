"""Promotion: one report becomes a lesson or a known failure, its sender's, wholly or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from library.records.schemas import schema_line
from library.records.vocabulary import Decision
from tests.builders import BOOK, LESSON, PLAYBOOK, put
from tests.writeapi.review.desk import BOOK_FILE, a_contributor, a_desk, an_editor, content_of, reported
from tests.writeapi.store.builders import an_id, count
from writeapi.review.decisions import decide
from writeapi.review.decisions.decide import EditRefused
from writeapi.review.decisions.texts import digest
from writeapi.review.services import ReviewServices
from writeapi.store import Store
from writeapi.store.engine import Conflict, NotFound
from writeapi.store.records import Member

TOLD: dict[str, Any] = {"title": "The runner hangs", "problem": "It waits for a key.", "fix": "Give it `--yes`."}


on_sqlite = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
"""For tests of what never reaches the database."""


@pytest.fixture
def desk(store: Store, tmp_path: Path) -> ReviewServices:
    return a_desk(store, tmp_path, {BOOK_FILE: "# kept\n" + PLAYBOOK + "contributors:\n  - handle: ann\n"})


@pytest.fixture
def editor(store: Store) -> Member:
    return an_editor(store)


@pytest.fixture
def run(store: Store) -> str:
    """A failed report of somebody with a key, who learned something."""
    sender = a_contributor(store)
    return reported(
        store,
        outcome="failed",
        lesson="It waits for a key. # no comment",
        contributor_id=sender.id,
        agent="Claude Code",
    )


def test_a_report_becomes_a_lesson_of_its_sender(desk: ReviewServices, editor: Member, run: str) -> None:
    name = decide.promote(desk, editor, run, 1, "lesson", **TOLD)
    (of_run, entry) = desk.store.outbox("waiting")
    assert (of_run.subject, entry.subject, entry.file) == (run, name, "lessons/the-runner-hangs.yaml")
    assert entry.text == (
        f"{schema_line(entry.file)}\ntitle: The runner hangs\nproblem: It waits for a key.\nfix: Give it `--yes`.\n"
        "agents:\n  - claude-code\n"
        "playbooks:\n  - fix-flaky-tests\nupdated: 2026-11-20\ncontributors:\n  - handle: cleo\n"
    )
    made = desk.store.submission(name)
    report = desk.store.run(run)
    assert made is not None
    assert report is not None
    assert (made.kind, made.state, made.contributor, made.origin) == ("lesson", "accepted", "cleo", report.origin)
    assert (made.title, made.body, made.playbook) == (TOLD["title"], report.lesson, BOOK)
    assert report.state == "approved"
    assert [step.became for step in desk.store.steps(name)] == ["screened", "accepted"]
    assert run in (desk.store.steps(name)[0].note or "")


def test_a_report_becomes_a_known_failure_of_its_playbook(desk: ReviewServices, editor: Member, run: str) -> None:
    decide.promote(desk, editor, run, 1, "failure", **TOLD)
    entry = desk.store.outbox("waiting")[-1]
    assert (entry.file, entry.base) == (BOOK_FILE, digest(desk.shelf.text(BOOK_FILE) or ""))
    assert entry.text is not None
    assert entry.text.startswith(f"{schema_line(BOOK_FILE)}\n# kept\n")
    assert "failures:\n  - problem: It waits for a key.\n    fix: Give it `--yes`.\n" in entry.text
    assert entry.text.endswith("updated: 2026-11-20\ncontributors:\n  - handle: ann\n  - handle: cleo\n")


def test_what_somebody_without_a_key_sent_is_not_signed(desk: ReviewServices, editor: Member) -> None:
    name = reported(desk.store, what_changed="Something.", reporter="Linus", agent="No agent of ours")
    decide.promote(desk, editor, name, 1, "lesson", **TOLD)
    text = desk.store.outbox("waiting")[-1].text or ""
    assert "contributors" not in text
    assert "agents" not in text
    assert "Linus" not in text


def test_a_report_that_was_approved_is_promoted_too(desk: ReviewServices, editor: Member, run: str) -> None:
    assert decide.approve(desk, editor, [(run, 1)]) == {}
    with pytest.raises(Conflict, match="ann was faster"):
        decide.promote(desk, editor, run, 1, "lesson", **TOLD)
    decide.promote(desk, editor, run, 2, "lesson", **TOLD)
    assert [step.became for step in desk.store.steps(run)] == ["pending", "approved", "promoted"]


@on_sqlite
@pytest.mark.parametrize("goal", ["lesson", "failure"])
def test_promoting_twice_promotes_once(desk: ReviewServices, editor: Member, run: str, goal: Any) -> None:
    assert decide.approve(desk, editor, [(run, 1)]) == {}
    name = decide.promote(desk, editor, run, 2, goal, **TOLD)
    with pytest.raises(EditRefused, match=f"promoted already, to {name}"):
        decide.promote(
            desk, editor, run, 2, goal, **{**TOLD, "title": "Another", "problem": "Another.", "fix": "Another."}
        )
    item = decide.item(desk, run)
    assert (item.promoted, "promote" in item.actions) == (name, False)
    last = item.steps[-1]
    assert (last.became, last.by, last.note, last.version) == ("promoted", "editor ann", name, 2)
    assert decide.item(desk, name).by_editor
    for entry in desk.store.outbox("waiting"):
        if entry.text:
            put(content_of(desk), entry.file, entry.text)
        desk.store.written([entry], "there")
    with pytest.raises(EditRefused, match="promoted already"):
        decide.promote(desk, editor, run, 2, goal, **TOLD)


@on_sqlite
def test_what_was_rejected_since_may_be_promoted_anew(desk: ReviewServices, editor: Member, run: str) -> None:
    name = decide.promote(desk, editor, run, 1, "lesson", **TOLD)
    decide.conclude(desk, editor, Decision.SEND_BACK, name, 2, ["other"], "Not so.")
    decide.conclude(desk, editor, Decision.REJECT, name, 3, ["unclear"], None)
    again = decide.promote(desk, editor, run, 2, "lesson", **TOLD)
    assert decide.item(desk, run).promoted == again
    desk.store.move(again, "withdrawn", by="sender")
    assert decide.item(desk, run).promoted is None
    assert decide.promote(desk, editor, run, 2, "lesson", **TOLD) not in (name, again)


@on_sqlite
def test_a_report_of_a_withdrawn_playbook_is_neither_approved_nor_promoted(
    desk: ReviewServices, editor: Member, run: str
) -> None:
    counted = reported(desk.store, "counted")
    assert decide.approve(desk, editor, [(counted, 1)]) == {}
    text = (desk.shelf.text(BOOK_FILE) or "") + "status: withdrawn\nstatus_reason: It was unsafe.\n"
    put(content_of(desk), BOOK_FILE, text)
    assert decide.approve(desk, editor, [(run, 1)]) == {run: "Its playbook was withdrawn: no run of it counts."}
    with pytest.raises(EditRefused, match="was withdrawn"):
        decide.promote(desk, editor, run, 1, "lesson", **TOLD)
    states = [record.state for name in (run, counted) if (record := desk.store.run(name))]
    assert states == ["pending", "approved"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "change"),
    [
        ("lesson", {"title": ""}),
        ("lesson", {"title": "two\nlines"}),
        ("lesson", {"fix": "  "}),
        ("failure", {"fix": ""}),
        ("failure", {"title": ""}),
        ("lesson", {"problem": "a\0b"}),
        ("lesson", {"problem": "\ud800"}),
        ("failure", {"problem": "x" * 9000}),
        ("lesson", {"fix": "[x](javascript:alert(1))"}),
        ("lesson", {"slug": "../x"}),
        ("lesson", {"slug": "search"}),
        ("lesson", {"slug": "taken"}),
        ("lesson", {"title": "Green is the stress run without the fix too"}),
        ("failure", {"fix": "Write to someone.real@gmail.com"}),
    ],
)
@on_sqlite
def test_all_of_a_promotion_happens_or_nothing(
    desk: ReviewServices, editor: Member, run: str, url: str, goal: Any, change: dict[str, str]
) -> None:
    put(content_of(desk), "lessons/taken.yaml", LESSON)
    before = count(url, "audit"), count(url, "submissions"), count(url, "outbox"), desk.store.run(run)
    with pytest.raises(EditRefused) as refused:
        decide.promote(desk, editor, run, 1, goal, **{**TOLD, **change})
    assert refused.value.problems
    assert (count(url, "audit"), count(url, "submissions"), count(url, "outbox"), desk.store.run(run)) == before


def test_a_report_whose_own_file_fails_is_not_promoted(desk: ReviewServices, editor: Member) -> None:
    bad = reported(desk.store, "bad", lesson="Yes.", playbook_version="x")
    gone = reported(desk.store, "gone", lesson="Yes.", playbook="gone")
    silent = reported(desk.store, "silent")
    for name in (bad, gone, silent):
        with pytest.raises(EditRefused):
            decide.promote(desk, editor, name, 1, "lesson", **TOLD)
    assert desk.store.outbox() == []


def test_only_a_report_that_is_there_is_promoted(desk: ReviewServices, editor: Member) -> None:
    for name in ("", an_id("run", "none"), an_id("sub", 1)):
        with pytest.raises(NotFound):
            decide.promote(desk, editor, name, 1, "lesson", **TOLD)
