"""The command `contributors`: what an operator does with the queue, over SQLite in a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cli
from tests.builders import BOOK
from tests.writeapi.store.builders import migrated, sqlite_url
from writeapi.keys import hash_of, is_key, make_key
from writeapi.store import Store
from writeapi.store.records import NewRun

KEY = make_key(bytes)
"""A key for tests: made of nothing but zeros."""


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands read the environment; that of whoever runs the tests is not meant."""
    for name in ("PLAYBOOKS_DATABASE_URL", "PLAYBOOKS_LIMITS_URL", "WEB_CONCURRENCY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def var(tmp_path: Path) -> Path:
    return tmp_path / "var"


def run(var: Path, *arguments: object) -> Result:
    words = [str(argument) for argument in (*arguments, "--var", var)]
    result = CliRunner().invoke(cli.main, words)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@contextmanager
def the_store(var: Path) -> Iterator[Store]:
    var.mkdir(exist_ok=True)
    url = sqlite_url(var / "queue.db")
    store = migrated(Store(url, clock=lambda: datetime.now(UTC)), url)
    yield store
    store.close()


def add(var: Path, handle: str = "ada-l", *, runs: int = 0) -> None:
    """A contributor with a key, an address and so many pending runs."""
    with the_store(var) as store:
        made = store.add_contributor(handle, "ada@example.org", KEY.hash, KEY.prefix)
        for number in range(runs):
            store.add(a_run(f"run_{number}", contributor_id=made.id), None)


def a_run(name: str, contributor_id: int | None = None) -> NewRun:
    return NewRun(name, BOOK, "0a1b2c3d4e5f", "claude-code", "worked", "a:x", contributor_id=contributor_id)


def test_list_of_nobody_is_empty(var: Path) -> None:
    with the_store(var):
        pass
    result = run(var, "contributors", "list")
    assert (result.exit_code, result.output) == (0, "")


def test_list_shows_who_but_no_key_and_no_address(var: Path) -> None:
    add(var)
    output = run(var, "contributors", "list").output
    assert re.fullmatch(rf"ada-l  contributor  since \d{{4}}-\S+Z  {KEY.prefix}\n", output)
    assert KEY.text not in output
    assert "example.org" not in output


def test_revoke_ends_every_key(var: Path) -> None:
    add(var, runs=2)
    assert run(var, "contributors", "revoke", "ada-l").output == "revoked ada-l; 0 run reports withdrawn\n"
    assert f"revoked  {KEY.prefix} (revoked)" in run(var, "contributors", "list").output
    with the_store(var) as store:
        assert store.caller(KEY.hash) is None
        assert store.pending_runs(()) == {BOOK: 2}


def test_revoke_can_withdraw_all_runs(var: Path) -> None:
    add(var, runs=3)
    with the_store(var) as store:
        store.move("run_0", "approved", by="editor")
    assert "3 run reports" in run(var, "contributors", "revoke", "ada-l", "--withdraw-runs").output
    with the_store(var) as store:
        states = [found.state for number in range(3) if (found := store.run(f"run_{number}"))]
        assert states == ["withdrawn", "rejected", "rejected"]
        assert store.pending_runs(()) == {}


def test_reset_gives_one_new_key_and_ends_the_old(var: Path) -> None:
    add(var)
    with the_store(var) as store:
        store.promote("ada-l", by="operator")
        store.open_session(KEY.hash, b"a session", "token")
        assert store.session(b"a session")
    key = run(var, "contributors", "reset", "ADA-L").output.strip()
    assert is_key(key)
    with the_store(var) as store:
        assert store.caller(KEY.hash) is None
        assert store.session(b"a session") is None
        found = store.caller(hash_of(key))
        assert found is not None
        assert found.handle == "ada-l"
    listed = run(var, "contributors", "list").output
    assert f"{KEY.prefix} (revoked), {key[:12]}\n" in listed
    assert key not in listed


def test_a_further_key_is_to_send_where_nothing_else_is_said(var: Path) -> None:
    add(var)
    key = run(var, "contributors", "key", "ada-l").output.strip()
    assert is_key(key)
    assert f", {key[:12]} (report, submit)\n" in run(var, "contributors", "list").output
    key = run(var, "contributors", "key", "ada-l", "--scope", "review", "--until", "9999-12-31").output.strip()
    assert f", {key[:12]} (review, until 9999-12-31)\n" in run(var, "contributors", "list").output


def test_promote_makes_an_editor(var: Path) -> None:
    add(var)
    assert run(var, "contributors", "promote", "ada-l").output == "ada-l is an editor\n"
    assert "ada-l  editor  " in run(var, "contributors", "list").output
    assert run(var, "contributors", "promote", "ada-l").exit_code == 0


@pytest.mark.parametrize("command", [["list"], ["revoke", "ada-l"], ["reset", "ada-l"], ["promote", "ada-l"]])
def test_without_a_queue_nobody_is_looked_after(var: Path, command: list[str]) -> None:
    result = run(var, "contributors", *command)
    assert (result.exit_code, f"no queue at {var / 'queue.db'}: " in result.output) == (2, True)
    assert not var.exists()


@pytest.mark.parametrize("command", ["revoke", "reset", "promote"])
def test_nobody_of_that_handle_is_wrong_use(var: Path, command: str) -> None:
    add(var)
    result = run(var, "contributors", command, "nobody-here")
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert "no " in result.output


@pytest.mark.parametrize("command", ["reset", "promote"])
def test_a_revoked_contributor_stays_revoked(var: Path, command: str) -> None:
    add(var)
    run(var, "contributors", "revoke", "ada-l")
    result = run(var, "contributors", command, "ada-l")
    assert result.exit_code in (1, 2)
    assert "revoked" in result.output
    assert "  contributor  " in run(var, "contributors", "list").output


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PLAYBOOKS_DATABASE_URL", "mysql://x"),
        ("PLAYBOOKS_DATABASE_URL", "sqlite:///relative.db"),
        ("PLAYBOOKS_LIMITS_URL", "http://x"),
        ("PLAYBOOKS_REDIS_GONE", "panic"),
        ("PLAYBOOKS_TRUSTED_PROXIES", "-1"),
        ("PLAYBOOKS_WRITE_LIMITS", "many"),
        ("WEB_CONCURRENCY", "0"),
    ],
)
def test_settings_that_cannot_be_stop_the_command(
    var: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    add(var)
    monkeypatch.setenv(name, value)
    result = run(var, "contributors", "list")
    assert result.exit_code == 2
    assert name in result.output
    assert "Traceback" not in result.output
