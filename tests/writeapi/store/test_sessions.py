"""How long an editor is signed in, to the moment: while it lasts, while it is remembered, and when it is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.writeapi.store.builders import START, StandingClock, count, sha, sqlite_url, standing_store
from writeapi.store import Store
from writeapi.store.contributors import IDLE_MINUTES, REMEMBERED_HOURS, SESSION_HOURS
from writeapi.store.engine import Conflict

MOMENT = timedelta(microseconds=1)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return sqlite_url(tmp_path / "queue.db")


@pytest.fixture
def store(tmp_path: Path, clock: StandingClock) -> Iterator[Store]:
    """A store with an editor, whose key is that of the word `ann`, and a session of the word `one`."""
    with standing_store(tmp_path, clock) as made:
        made.add_contributor("ann", None, sha("ann"), "pbl_ann")
        made.promote("ann", by="operator")
        made.open_session(sha("ann"), sha("one"), "csrf")
        yield made


def test_a_session_lasts_for_half_a_day_and_is_remembered_for_a_day_more(store: Store, clock: StandingClock) -> None:
    assert (SESSION_HOURS, REMEMBERED_HOURS) == (12, 24)
    found = store.session(sha("one"))
    assert found
    assert (found.editor.handle, found.csrf) == ("ann", "csrf")
    for minutes in range(29, 12 * 60, 29):
        clock.now = START + timedelta(minutes=minutes)
        assert store.session(sha("one"))
    for after, opens, remembered in (
        (timedelta(hours=12) - MOMENT, True, True),
        (timedelta(hours=12), False, True),
        (timedelta(hours=36) - MOMENT, False, True),
        (timedelta(hours=36), False, False),
    ):
        clock.now = START + after
        assert (store.session(sha("one")) is not None, store.was_session(sha("one"))) == (opens, remembered), after
    assert store.session(sha("two")) is None
    assert not store.was_session(sha("two"))


def test_a_session_in_which_nothing_is_asked_ends_after_half_an_hour(store: Store, clock: StandingClock) -> None:
    assert IDLE_MINUTES == 30
    clock.now = START + timedelta(minutes=30) - MOMENT
    assert store.session(sha("one"))
    clock.now += timedelta(minutes=30) - MOMENT
    assert [(row.prefix, row.last) for row in store.sign_ins(1)] == [("pbl_ann", "2026-11-20T12:29:59Z")]
    assert store.session(sha("one"))
    clock.now += timedelta(minutes=30)
    assert (store.session(sha("one")), store.sign_ins(1)) == (None, [])
    assert store.was_session(sha("one")), "what was typed can still be handed back"
    clock.now += timedelta(minutes=1)
    assert store.session(sha("one")) is None, "looking at it does not bring it back"


def test_a_session_begun_while_the_clock_was_ahead_is_none(store: Store, clock: StandingClock) -> None:
    clock.now += timedelta(days=400)
    store.open_session(sha("ann"), sha("late"), "csrf")
    assert store.session(sha("late"))
    clock.now = START
    assert store.session(sha("late")) is None
    assert store.session(sha("one")) is None, "it was forgotten when the clock was ahead"


def test_an_editor_sees_and_ends_only_their_own(store: Store) -> None:
    store.add_contributor("bea", None, sha("bea"), "pbl_bea")
    store.promote("bea", by="operator")
    store.open_session(sha("bea"), sha("two"), "csrf")
    assert [row.hash for row in store.sign_ins(2)] == [sha("two")]
    store.close_session(sha("one"), 2)
    assert store.session(sha("one"))
    store.close_session(sha("one"), 1)
    assert store.session(sha("one")) is None


def test_what_ended_long_ago_goes_when_somebody_signs_in(store: Store, url: str, clock: StandingClock) -> None:
    clock.now = START + timedelta(hours=36) - MOMENT
    store.open_session(sha("ann"), sha("two"), "csrf")
    assert count(url, "sessions") == 2
    clock.now += MOMENT
    store.open_session(sha("ann"), sha("three"), "csrf")
    assert count(url, "sessions") == 2
    assert store.session(sha("two"))


def test_signing_out_ends_a_session_now_and_no_other_and_once(store: Store, clock: StandingClock) -> None:
    store.open_session(sha("ann"), sha("two"), "csrf")
    clock.now += timedelta(minutes=29)
    store.close_session(sha("one"), 1)
    assert store.session(sha("one")) is None
    assert store.session(sha("two"))
    clock.now += timedelta(hours=24) - MOMENT
    assert store.was_session(sha("one"))
    store.close_session(sha("one"), 1)
    clock.now += MOMENT
    assert not store.was_session(sha("one")), "it ended when it was closed first"


def test_a_revoked_key_opens_nothing_and_ends_what_it_opened(store: Store) -> None:
    with pytest.raises(Conflict, match="revoked"):
        store.open_session(sha("nobody"), sha("two"), "csrf")
    assert store.revoke_key(1, "pbl_ann", by="c:1")
    assert store.session(sha("one")) is None
    with pytest.raises(Conflict, match="revoked"):
        store.open_session(sha("ann"), sha("two"), "csrf")
