"""What is kept of sendings when several commands send at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from client.sending import UnansweredKeys

NOW = "2026-11-22T12:00:00Z"


def test_senders_at_once_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "state/sending.json"

    def send(number: int) -> str:
        return UnansweredKeys(path).begin(f"sending {number}", lambda: f"key {number}", NOW)[0]

    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(send, range(24)))
    again = [UnansweredKeys(path).begin(f"sending {number}", lambda: "another", NOW) for number in range(24)]
    assert again == [(key, NOW) for key in keys]


def test_a_lock_s_file_that_was_left_behind_locks_nobody_out(tmp_path: Path) -> None:
    (tmp_path / "sending.lock").touch()
    kept = UnansweredKeys(tmp_path / "sending.json")
    assert kept.begin("one", lambda: "key", NOW) == ("key", None)
    kept.end("one")
    assert kept.begin("one", lambda: "new", NOW) == ("new", None)
