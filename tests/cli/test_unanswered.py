"""What is kept of sendings when several commands send at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from client.commands import unanswered_keys

NOW = "2026-11-22T12:00:00Z"


def begin(path: Path, name: str, fresh: str) -> str:
    with unanswered_keys(path) as keys:
        return keys.setdefault(name, (fresh, NOW))[0]


def test_senders_at_once_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "state/sending.json"

    def send(number: int) -> str:
        return begin(path, f"sending {number}", f"key {number}")

    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(send, range(24)))
    assert [begin(path, f"sending {number}", "another") for number in range(24)] == keys
    assert keys == [f"key {number}" for number in range(24)]


def test_a_lock_s_file_that_was_left_behind_locks_nobody_out(tmp_path: Path) -> None:
    (tmp_path / "sending.lock").touch()
    path = tmp_path / "sending.json"
    assert begin(path, "one", "key") == "key"
    with unanswered_keys(path) as keys:
        del keys["one"]
    assert begin(path, "one", "new") == "new"
