"""Backups: the whole store in one file that was read again, and back, on both engines; never over what is there."""

from __future__ import annotations

import stat
import threading
from hashlib import sha256
from pathlib import Path

import pytest

from tests.postgres import needs_postgres, shared_server
from tests.writeapi.store.builders import a_run, a_store, a_submission, count, once, rows, set_back, sha, sqlite_url
from writeapi.store import Store
from writeapi.store.backup import NotBackedUp, NotRestored
from writeapi.store.engine import Unavailable
from writeapi.store.schema import REVISION, metadata

pytestmark = pytest.mark.slow


@pytest.fixture
def other(url: str, tmp_path: Path) -> str:
    """The address of another empty database of the same engine."""
    return sqlite_url(tmp_path / "other" / "queue.db") if url.startswith("sqlite") else shared_server().fresh()


def filled(store: Store) -> None:
    """A contributor, a run that was answered once, a submission with a history."""
    store.add_contributor("ada", "ada@example.org", sha("key"), "pbl_x")
    store.add(a_run(lesson="two\nlines\tand \\. a tab ü"), once())
    store.add(a_submission(payload={"a": ["b", None]}), None)
    store.move(a_submission().id, "rejected", by="ada", reasons=["spam"])


def everything(url: str) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables."""
    return {
        name: sorted(rows(url, f"SELECT {', '.join(table.columns.keys())} FROM {name}"), key=repr)
        for name, table in metadata.tables.items()
    }


def sealed(lines: list[bytes]) -> bytes:
    """A backup of these lines, under their digest."""
    body = b"".join(line + b"\n" for line in lines)
    return body + sha256(body).hexdigest().encode()


def test_what_was_backed_up_is_what_comes_back(store: Store, url: str, other: str, tmp_path: Path) -> None:
    filled(store)
    file = tmp_path / "one.backup"
    made = store.back_up(file)
    assert made.rows["runs"] == made.rows["submissions"] == made.rows["contributors"] == 1
    assert (made.rows["audit"], made.revision) == (4, REVISION)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600, "it holds e-mail addresses"
    assert [path.name for path in tmp_path.glob("*one*")] + [path.name for path in tmp_path.glob(".*")] == [file.name]
    into = a_store(other)
    assert into.restore(file) == (made, None)
    assert everything(other) == everything(url)
    into.add(a_run(2), once("key-2"))
    into.add_contributor("bea", None, sha("other"), "pbl_y")
    assert (count(other, "runs"), count(other, "contributors")) == (2, 2), "it is written to as before"
    into.close()


def test_a_backup_replaces_no_file(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "one.backup"
    file.write_text("mine")
    with pytest.raises(NotBackedUp, match="is there already"):
        store.back_up(file)
    assert file.read_text() == "mine"


def test_a_folder_that_is_not_there_is_told(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NotBackedUp, match="cannot be written: No such file"):
        store.back_up(tmp_path / "missing" / "one.backup")


def test_a_store_that_holds_something_is_replaced_by_force_only(store: Store, url: str, tmp_path: Path) -> None:
    filled(store)
    before = everything(url)
    store.back_up(tmp_path / "one.backup")
    store.add(a_run(2), None)
    with pytest.raises(NotRestored, match=r"holds \d+ rows; --force replaces them"):
        store.restore(tmp_path / "one.backup")
    assert count(url, "runs") == 2
    store.close()
    kept = store.restore(tmp_path / "one.backup", force=True)[1]
    assert everything(url) == before
    assert kept
    store.restore(kept, force=True)
    assert count(url, "runs") == 2, "what was there is kept"


def test_an_empty_store_that_a_service_uses_is_not_replaced(store: Store, other: str, tmp_path: Path) -> None:
    filled(store)
    store.back_up(tmp_path / "one.backup")
    service, into = a_store(other), a_store(other)
    service.migrate()
    service.ready()
    with pytest.raises(NotRestored, match="stop the service first"):
        into.restore(tmp_path / "one.backup")
    with pytest.raises(NotRestored, match="stop the service first"):
        into.restore(tmp_path / "one.backup", force=True)
    into.restore(tmp_path / "one.backup", running=True)
    assert service.run(a_run().id) is not None, "the service goes on with what was restored"
    service.add(a_run(2), None)
    assert count(other, "runs") == 2
    service.close()
    into.close()


def test_a_file_that_is_not_what_it_says_changes_nothing(store: Store, url: str, tmp_path: Path) -> None:
    filled(store)
    file = tmp_path / "one.backup"
    store.back_up(file)
    *lines, facts, _ = file.read_bytes().split(b"\n")
    file.write_bytes(sealed([*lines, facts.replace(b'"runs": 1', b'"runs": 7')]))
    store.add(a_run(2), None)
    before = everything(url)
    store.close()
    with pytest.raises(NotRestored, match="not what it says"):
        store.restore(file, force=True)
    assert everything(url) == before


@pytest.mark.parametrize("damage", ["cut", "middle", "text", "empty"])
def test_a_damaged_backup_changes_nothing(store: Store, url: str, tmp_path: Path, damage: str) -> None:
    filled(store)
    for number in range(200):
        store.add(a_run(f"more {number}", lesson=str(sha(str(number))) * 20), None)
    file = tmp_path / "one.backup"
    store.back_up(file)
    body = bytearray(file.read_bytes())
    if damage == "middle":
        body[len(body) // 2 : len(body) // 2 + 9_000] = bytes(9_000)
    left: dict[str, bytes] = {
        "cut": bytes(body[: len(body) * 2 // 3]),
        "middle": bytes(body),
        "text": b"hello",
        "empty": b"",
    }
    file.write_bytes(left[damage])
    before = everything(url)
    with pytest.raises(NotRestored):
        store.restore(file, force=True)
    assert everything(url) == before
    store.ready()


def test_one_byte_that_is_another_is_found_wherever_it_stands(store: Store, url: str, tmp_path: Path) -> None:
    filled(store)
    file = tmp_path / "one.backup"
    store.back_up(file)
    body, before = file.read_bytes(), everything(url)
    for part in range(1, 40):
        place = len(body) * part // 40
        file.write_bytes(body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :])
        with pytest.raises(NotRestored):
            store.restore(file, force=True)
    assert everything(url) == before


def test_a_file_without_the_end_of_a_backup_is_refused_and_says_the_mend(store: Store, tmp_path: Path) -> None:
    filled(store)
    file = tmp_path / "one.backup"
    store.back_up(file)
    file.write_bytes(file.read_bytes().rpartition(b"\n")[0])
    with pytest.raises(NotRestored, match="no backup that `playbooks backup` wrote, or not all of it: take another"):
        store.restore(file, force=True)


def test_a_backup_of_a_newer_program_is_refused(store: Store, tmp_path: Path) -> None:
    with store._database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    store.back_up(tmp_path / "one.backup")
    with pytest.raises(NotRestored, match="schema '9999'; this program knows those up to"):
        store.restore(tmp_path / "one.backup", force=True)


def test_a_backup_from_before_an_upgrade_is_brought_up(url: str, other: str, tmp_path: Path) -> None:
    """The way back from an upgrade that went wrong: restore; and forward again with the next start."""
    old, into = a_store(url), a_store(other)
    old.migrate()
    set_back(old)
    with old._database.write() as connection:
        connection.exec_driver_sql(
            "INSERT INTO contributors (handle, folded, role, created) VALUES ('ada', 'ada', 'contributor', '2026')"
        )
    made = old.back_up(tmp_path / "old.backup")
    assert made.revision == "0001"
    assert rows(url, "SELECT version_num FROM alembic_version") == [("0001",)], "to back up is not to upgrade"
    into.migrate()
    into.restore(tmp_path / "old.backup", force=True)
    assert rows(other, "SELECT version_num FROM alembic_version") == [(REVISION,)]
    assert (count(other, "contributors"), count(other, "outbox")) == (1, 0)
    old.close()
    into.close()


@pytest.mark.system
@needs_postgres
def test_a_backup_goes_from_one_engine_into_the_other_and_back(tmp_path: Path) -> None:
    addresses = sqlite_url(tmp_path / "a.db"), shared_server().fresh(), sqlite_url(tmp_path / "b.db")
    first, *others = stores = [a_store(url) for url in addresses]
    first.migrate()
    filled(first)
    first.back_up(tmp_path / "0.backup")
    for number, store in enumerate(others):
        store.restore(tmp_path / f"{number}.backup")
        store.back_up(tmp_path / f"{number + 1}.backup")
    assert everything(addresses[0]) == everything(addresses[2])
    for store in stores:
        store.close()


def test_a_database_that_is_no_more_readable_is_put_aside(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "queue.db")
    store = a_store(url)
    store.migrate()
    filled(store)
    store.back_up(tmp_path / "one.backup")
    store.close()
    (tmp_path / "queue.db").write_bytes(b"rubbish" * 2_000)
    with pytest.raises(Unavailable, match="restore --force"):
        store.restore(tmp_path / "one.backup")
    store.restore(tmp_path / "one.backup", force=True)
    assert count(url, "runs") == 1
    assert (tmp_path / "queue.db-damaged").read_bytes().startswith(b"rubbish"), "nothing is lost"
    store.close()


def test_backing_up_while_others_write_takes_one_moment(store: Store, other: str, url: str, tmp_path: Path) -> None:
    """Runs and answers are written in one transaction: a backup holds both or neither."""
    stop = threading.Event()

    def write(name: int) -> None:
        for number in range(10_000):
            if stop.is_set():
                return
            store.add(a_run((name, number)), once(f"{name}.{number}", str(number)))

    crew = [threading.Thread(target=write, args=(name,)) for name in range(3)]
    for thread in crew:
        thread.start()
    try:
        while count(url, "runs") < 20:
            pass
        backups = []
        for number in range(3):
            acknowledged = {row[0] for row in rows(url, "SELECT id FROM runs")}
            backups.append((acknowledged, store.back_up(tmp_path / f"{number}.backup")))
    finally:
        stop.set()
        for thread in crew:
            thread.join()
    into = a_store(other)
    for number, (acknowledged, made) in enumerate(backups):
        into.restore(tmp_path / f"{number}.backup", force=True)
        runs = {row[0] for row in rows(other, "SELECT id FROM runs")}
        assert acknowledged <= runs
        assert len(runs) == made.rows["runs"]
        assert sorted(rows(other, "SELECT subject FROM answers")) == sorted((run,) for run in runs)
        assert sorted(rows(other, "SELECT subject FROM audit")) == sorted((run,) for run in runs)
    into.close()
