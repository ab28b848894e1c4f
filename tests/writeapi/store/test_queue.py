"""The queue: what comes in is stored once, and moves only as the states allow, each time with one audit row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from library.records.vocabulary import RunState, SubmissionState
from tests.builders import BOOK
from tests.writeapi.store.builders import a_run, a_submission, count, once, rows, sha
from writeapi.store import Store
from writeapi.store.base import RUNS, SUBMISSIONS
from writeapi.store.engine import Conflict, Mismatch, NotFound
from writeapi.store.records import ReviewStep, SubmissionRecord

AT = "2026-11-20T12:00:00Z"
RUN_STATES = sorted({*RUNS.moves, *(to for tos in RUNS.moves.values() for to in tos)})
SUBMISSION_STATES = sorted({*SUBMISSIONS.moves, *(to for tos in SUBMISSIONS.moves.values() for to in tos)})


def bring_run(store: Store, state: str) -> str:
    """The id of a run that was moved to this state."""
    ways = {"approved": ["approved"], "rejected": ["rejected"], "withdrawn": ["approved", "withdrawn"]}
    receipt = store.add(a_run(state), None)
    for step in ways.get(state, []):
        store.move(receipt.id, step, by="editor")
    return receipt.id


def bring(store: Store, state: str) -> str:
    """The id of a submission that was moved to this state."""
    ways = {
        "screened": ["screened"],
        "accepted": ["screened", "accepted"],
        "published": ["screened", "accepted", "published"],
        "rejected": ["screened", "rejected"],
        "changes_requested": ["screened", "changes_requested"],
        "withdrawn": ["withdrawn"],
    }
    receipt = store.add(a_submission(state), None)
    for step in ways.get(state, []):
        store.move(receipt.id, step, by="editor")
    return receipt.id


def test_the_states_are_the_vocabularys() -> None:
    assert set(RUN_STATES) == set(RunState)
    assert set(SUBMISSION_STATES) == set(SubmissionState)


def test_a_run_comes_out_as_it_went_in(store: Store) -> None:
    ann = store.add_contributor("ann", None, sha("key"), "pbl_key")
    full = a_run(
        agent_version="2.1",
        model="m",
        what_changed="Zeile eins\nZeile zwei 🙂",
        lesson="日本語",
        duration_minutes=525_600,
        reporter="ann",
        contributor_id=ann.id,
    )
    receipt = store.add(full, None)
    assert (receipt.id, receipt.created, receipt.answer, receipt.fresh) == (full.id, AT, b"", True)
    found = store.run(full.id)
    assert found is not None
    for name in full.__slots__:
        assert getattr(found, name) == getattr(full, name)
    assert (found.state, found.version, found.created, found.updated) == ("pending", 1, AT, AT)
    assert (found.contributor, found.contributor_since) == ("ann", AT)


def test_a_submission_comes_out_as_it_went_in(store: Store) -> None:
    full = a_submission(
        kind="playbook",
        agent="claude-code",
        playbook=BOOK,
        source_url="https://example.com/",
        reporter="somebody",
        payload={"title": "Ä", "steps": ["one", "two"], "deep": {"none": None, "number": 1.5}},
        edit_hash=sha("token"),
    )
    store.add(full, None)
    found = store.submission(full.id)
    assert found is not None
    for name in full.__slots__:
        assert getattr(found, name) == getattr(full, name)
    assert (found.state, found.version, found.contributor, found.place) == ("queued", 1, None, None)
    assert found.history == (ReviewStep("queued", AT, "anonymous", (), None, 1),)
    assert full.body not in repr(found)


def test_an_unknown_id_is_nothing(store: Store) -> None:
    assert store.run("run_x") is None
    assert store.submission("sub_x") is None
    with pytest.raises(NotFound):
        store.move("run_x", "approved", by="editor")
    with pytest.raises(NotFound):
        store.move("sub_x", "withdrawn", by="sender")


def test_the_same_key_and_body_give_the_same_answer(store: Store, url: str) -> None:
    first = store.add(a_run(1), once())
    again = store.add(a_run(2), once())
    assert first.fresh
    assert again == replace(first, fresh=False)
    assert first.answer == b"the answer to c:1 key-1"
    assert count(url, "runs") == count(url, "audit") == 1


def test_the_same_key_with_another_body_is_refused(store: Store, url: str) -> None:
    store.add(a_run(1), once())
    with pytest.raises(Mismatch):
        store.add(a_run(2), once(body="other"))
    assert count(url, "runs") == 1


def test_a_key_belongs_to_its_caller(store: Store, url: str) -> None:
    for caller in ("c:1", "c:2", "a:0f"):
        assert store.add(a_run(caller), once(caller=caller)).fresh
    assert count(url, "runs") == 3


def test_one_id_cannot_be_stored_twice(store: Store, url: str) -> None:
    store.add(a_run(), None)
    with pytest.raises(Exception, match=r"(?i)unique"):
        store.add(a_run(agent="other"), once())
    assert count(url, "runs") == count(url, "audit") == 1
    assert count(url, "answers") == 0


@pytest.mark.parametrize("start", RUN_STATES)
def test_a_run_moves_only_as_the_states_allow(store: Store, url: str, start: str) -> None:
    run = bring_run(store, start)
    for to in RUN_STATES:
        if to not in RUNS.moves.get(start, ()):
            with pytest.raises(Conflict):
                store.move(run, to, by="editor")
    assert len(set(rows(url, f"SELECT version FROM audit WHERE subject = '{run}'"))) == count(url, "audit")
    for to in sorted(RUNS.moves.get(start, ()))[:1]:
        store.move(run, to, by="editor", reasons=["spam"], note="so")
        moved = store.run(run)
        assert moved is not None
        assert (moved.state, moved.version) == (to, count(url, "audit"))


@pytest.mark.slow
@pytest.mark.parametrize("start", SUBMISSION_STATES)
def test_a_submission_moves_only_as_the_states_allow(store: Store, url: str, start: str) -> None:
    name = bring(store, start)
    before = count(url, "audit")
    for to in SUBMISSION_STATES:
        if to not in SUBMISSIONS.moves.get(start, ()):
            with pytest.raises(Conflict):
                store.move(name, to, by="editor")
    assert count(url, "audit") == before
    found = store.submission(name)
    assert found is not None
    assert found.state == start
    assert len(found.history) == found.version == before


@pytest.mark.parametrize("start", sorted(SUBMISSIONS.moves))
def test_an_open_submission_can_be_withdrawn(store: Store, start: str) -> None:
    name = bring(store, start)
    store.move(name, "withdrawn", by="sender")
    assert unchanged(store, name).state == "withdrawn"
    with pytest.raises(Conflict):
        store.move(name, "withdrawn", by="sender")


def test_the_history_says_who_when_and_why(store: Store) -> None:
    name = bring(store, "screened")
    store.move(name, "rejected", by="editor", reasons=["spam", "duplicate"], note="See the other.")
    assert unchanged(store, name).history == (
        ReviewStep("queued", AT, "anonymous", (), None, 1),
        ReviewStep("screened", AT, "editor", (), None, 2),
        ReviewStep("rejected", AT, "editor", ("spam", "duplicate"), "See the other.", 3),
    )


def test_requested_changes_are_answered_and_queue_it_again(store: Store) -> None:
    name = bring(store, "changes_requested")
    store.move(name, SubmissionState.QUEUED, by="sender", title="Better", payload={"title": "x"})
    found = unchanged(store, name)
    assert (found.title, found.payload, found.state, found.version) == ("Better", {"title": "x"}, "queued", 4)
    store.move(name, SubmissionState.QUEUED, by="sender", title="Best")
    store.move(name, "screened", by="review-agent")
    with pytest.raises(Conflict):
        store.move(name, SubmissionState.QUEUED, by="sender", title="Again")
    assert unchanged(store, name).title == "Best"


def unchanged(store: Store, name: str) -> SubmissionRecord:
    found = store.submission(name)
    assert found is not None
    return found


def test_a_decision_about_an_older_version_is_refused(store: Store) -> None:
    name = bring(store, "changes_requested")
    seen = unchanged(store, name).version
    store.move(name, SubmissionState.QUEUED, by="sender", body="New.")
    with pytest.raises(Conflict):
        store.move(name, "screened", by="review-agent", version=seen)
    store.move(name, "screened", by="review-agent", version=seen + 1)
    assert unchanged(store, name).state == "screened"


def test_published_says_where_it_went(store: Store) -> None:
    name = bring(store, "accepted")
    place = "playbooks/sort-photographs"
    store.move(name, "published", by="publisher", place=place)
    assert unchanged(store, name).place == place


def test_an_approval_replayed_counts_once(store: Store, url: str) -> None:
    run = bring_run(store, "approved")
    with pytest.raises(Conflict):
        store.move(run, "approved", by="editor")
    assert count(url, "audit") == 2


def test_pending_are_reports_that_wait_or_are_not_built_yet(store: Store) -> None:
    for name, playbook in enumerate(("a", "a", "a", "b", "c")):
        store.add(a_run(name, playbook=playbook), None)
    store.move(a_run(0).id, "approved", by="editor")
    store.move(a_run(1).id, "rejected", by="editor")
    store.move(a_run(3).id, "approved", by="editor")
    assert store.pending_runs([]) == {"a": 2, "b": 1, "c": 1}
    assert store.pending_runs({a_run(3).id, "run_unknown"}) == {"a": 2, "c": 1}
