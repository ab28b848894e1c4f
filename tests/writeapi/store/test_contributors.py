"""Contributors and keys: unique handles, keys known by their hash, and what an editor can do."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from library.records.vocabulary import Scope
from tests.writeapi.store.builders import START, StandingClock, a_run, count, rows, sha, standing_store
from writeapi.store import Store
from writeapi.store.engine import Conflict, HandleTaken, NotFound
from writeapi.store.records import Key, Member

AT = "2026-11-20T12:00:00Z"


def join(store: Store, handle: str = "ann", key: str = "key") -> Member:
    return store.add_contributor(handle, f"{handle}@mail.example", sha(key), f"pbl_{key}")


def test_a_contributor_is_known_by_handle_and_by_key(store: Store) -> None:
    ann = join(store)
    assert ann == Member(ann.id, "ann", "ann@mail.example", "contributor", AT, None)
    assert store.contributor("ann") == store.caller(sha("key")) == ann
    assert store.keys(ann.id) == [Key("pbl_key", AT, None)]
    assert not ann.editor


def test_a_key_or_a_handle_that_nobody_has_is_nobody(store: Store) -> None:
    assert store.caller(sha("key")) is None
    assert store.contributor("ann") is None
    assert store.contributors() == []
    assert store.keys(1) == []


@pytest.mark.parametrize(("first", "other"), [("al-n", "alN"), ("aln", "AL-N"), ("a-ln", "al-n")])
def test_handles_that_differ_by_hyphens_are_one(store: Store, url: str, first: str, other: str) -> None:
    join(store, first)
    with pytest.raises(HandleTaken):
        join(store, other, "other")
    assert store.taken(other)
    assert store.contributor(other) is None, "nobody is looked up by what is only alike"
    assert count(url, "contributors") == 1


@pytest.mark.parametrize("spelling", ["ann", "ANN", "Ann", "ａｎｎ", "ＡNN", "aｎN"])
def test_a_handle_is_taken_in_every_spelling(store: Store, url: str, spelling: str) -> None:
    ann = join(store)
    with pytest.raises(HandleTaken):
        join(store, spelling, "other")
    assert store.contributor(spelling) == ann
    assert count(url, "contributors") == count(url, "keys") == count(url, "audit") == 1


def test_a_key_that_is_there_already_is_our_own_mistake_and_leaves_nothing(store: Store, url: str) -> None:
    join(store)
    with pytest.raises(Exception, match=r"(?i)unique"):
        join(store, "bob")
    assert count(url, "contributors") == 1


def test_keys_are_added_and_revoked_one_by_one(store: Store) -> None:
    ann = join(store)
    store.add_key(ann.id, sha("second"), "pbl_second", by="c:1")
    assert store.caller(sha("second")) == ann
    assert store.revoke_key(ann.id, "pbl_key", by="c:1")
    assert not store.revoke_key(ann.id, "pbl_key", by="c:1")
    assert not store.revoke_key(ann.id + 1, "pbl_second", by="c:2"), "only one's own"
    assert store.caller(sha("key")) is None
    assert [(key.prefix, key.revoked) for key in store.keys(ann.id)] == [("pbl_key", AT), ("pbl_second", None)]


def test_a_revoked_key_ends_what_it_minted_and_the_sessions_begun_with_it(store: Store) -> None:
    ann = join(store)
    store.promote("ann", by="operator")
    for name, parent in (("b", "key"), ("c", "b"), ("d", "c"), ("e", "key")):
        store.add_key(ann.id, sha(name), f"pbl_{name}", by="c:1", minted_by=sha(parent))
        store.open_session(sha(name), sha(f"session {name}"), "csrf")
    assert store.revoke_key(ann.id, "pbl_b", by="c:1", spared=sha("key"))
    assert [name for name in ("key", "b", "c", "d", "e") if store.caller(sha(name))] == ["key", "e"]
    assert [name for name in ("b", "c", "d", "e") if store.session(sha(f"session {name}"))] == ["e"]
    with pytest.raises(Conflict):
        store.add_key(ann.id, sha("f"), "pbl_f", by="c:1", minted_by=sha("c"))


def test_who_changes_over_to_a_key_keeps_it_and_what_it_minted_in_the_place_of_the_old_one(store: Store) -> None:
    ann = join(store)
    for name, parent in (("a", "key"), ("b", "a"), ("c", "b"), ("d", "c"), ("e", "b")):
        store.add_key(ann.id, sha(name), f"pbl_{name}", by="c:1", minted_by=sha(parent))
    assert store.revoke_key(ann.id, "pbl_a", by="c:1", spared=sha("c"))
    assert [name for name in ("key", "a", "b", "c", "d", "e") if store.caller(sha(name))] == ["key", "c", "d"]
    assert store.revoke_key(ann.id, "pbl_key", by="c:1", spared=sha("key")), "its own revocation spares nothing"
    assert not any(store.caller(sha(name)) for name in ("key", "c", "d"))


def test_a_key_is_for_its_scopes_and_until_the_end_of_its_day(tmp_path: Path, clock: StandingClock) -> None:
    with standing_store(tmp_path, clock) as store:
        ann = join(store)
        day = START.date().isoformat()
        made = store.add_key(ann.id, sha("b"), "pbl_b", by="c:1", scopes=(Scope.REPORT,), until=day)
        assert (made.allows, made.until) == ((Scope.REPORT,), day)
        assert store.keys(ann.id) == [Key("pbl_key", AT, None), made]
        assert [bool(store.caller(sha("b"), scope)) for scope in Scope] == [True, False, False]
        assert all(store.caller(sha("key"), scope) for scope in Scope), "one from before there were scopes has all"
        clock.now = START.replace(hour=23, minute=59, second=59)
        assert store.caller(sha("b"))
        clock.now += timedelta(seconds=1)
        assert store.caller(sha("b")) is None
        assert store.key(sha("b")) is None
        with pytest.raises(Conflict, match="over"):
            store.add_key(ann.id, sha("c"), "pbl_c", by="c:1", until=day)
        with pytest.raises(Conflict):
            store.open_session(sha("b"), sha("session"), "csrf")


def test_a_revoked_contributor_has_no_key_and_gets_none(store: Store) -> None:
    ann = join(store)
    assert store.revoke_contributor("Ann", by="c:9", withdraw_runs=True) == 0
    assert store.caller(sha("key")) is None
    assert store.contributor("ann") == Member(ann.id, "ann", "ann@mail.example", "contributor", AT, AT)
    with pytest.raises(Conflict):
        store.add_key(ann.id, sha("next"), "pbl_next", by="c:9")
    with pytest.raises(Conflict):
        store.promote("ann", by="c:9")
    with pytest.raises(HandleTaken):
        join(store, "ann", "next")


def test_revoking_takes_back_runs_that_count_or_wait(store: Store, url: str) -> None:
    ann, bob = join(store), join(store, "bob", "bobs")
    for name, who in ((1, ann), (2, ann), (3, ann), (4, bob)):
        store.add(a_run(name, contributor_id=who.id), None)
    store.move(a_run(1).id, "approved", by="c:9")
    store.move(a_run(2).id, "rejected", by="c:9")
    assert store.revoke_contributor("ann", by="c:9", withdraw_runs=True) == 2
    states = [found.state for name in range(1, 5) if (found := store.run(a_run(name).id))]
    assert states == ["withdrawn", "rejected", "rejected", "pending"]
    written = rows(url, f"SELECT was, became FROM audit WHERE subject = '{a_run(1).id}' ORDER BY version")
    assert written == [(None, "pending"), ("pending", "approved"), ("approved", "withdrawn")]
    assert store.revoke_contributor("ann", by="c:9", withdraw_runs=True) == 0


def test_revoking_without_runs_leaves_them(store: Store) -> None:
    ann = join(store)
    store.add(a_run(contributor_id=ann.id), None)
    assert store.revoke_contributor("ann", by="c:9", withdraw_runs=False) == 0
    assert store.pending_runs([]) == {a_run().playbook: 1}


def test_an_editor_is_promoted_once(store: Store, url: str) -> None:
    join(store)
    store.promote("ANN", by="operator")
    store.promote("ann", by="operator")
    found = store.contributor("ann")
    assert found is not None
    assert found.editor
    assert rows(url, "SELECT who, was, became FROM audit ORDER BY id") == [
        ("c:1", None, "created"),
        ("operator", "contributor", "editor"),
    ]


def test_who_is_not_there_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound):
        store.promote("ann", by="operator")
    with pytest.raises(NotFound):
        store.revoke_contributor("ann", by="operator", withdraw_runs=True)
    with pytest.raises(NotFound):
        store.add_key(1, sha("key"), "pbl_key", by="operator")


def test_lists_are_by_handle(store: Store) -> None:
    for name in ("cy", "ann", "bob"):
        join(store, name, name)
    assert [who.handle for who in store.contributors()] == ["ann", "bob", "cy"]


def test_neither_key_nor_address_stands_in_the_audit_or_in_what_is_printed(store: Store, url: str) -> None:
    ann = join(store)
    assert "mail.example" not in repr(ann)
    assert "mail.example" not in str(rows(url, "SELECT * FROM audit"))
