"""The secret of buckets: one for all processes, in a file that only its owner reads, or the operator's own."""

from __future__ import annotations

import os
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType

import pytest

from library.problems import UsageError
from writeapi.settings import read_secret, read_settings, secret_problem

GOOD = "0123456789abcdef" * 2


def test_the_first_makes_it_and_all_read_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(24) as pool:
        found = set(pool.map(lambda _: read_secret({}, tmp_path / "var"), range(24)))
    assert len(found) == 1
    assert len(found.pop()) == 64
    (file,) = (tmp_path / "var").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_secret({}, tmp_path / "var") != read_secret({}, tmp_path / "other")


def test_that_of_the_operator_comes_first_and_makes_no_file(tmp_path: Path) -> None:
    assert read_secret({"PLAYBOOKS_SECRET": GOOD}, tmp_path) == GOOD.encode()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("told", ["changeme", "secret" * 2, "a" * 64, "abc" * 20])
def test_one_that_can_be_guessed_is_refused_and_not_repeated(tmp_path: Path, told: str) -> None:
    with pytest.raises(UsageError, match="can be guessed") as refused:
        read_secret({"PLAYBOOKS_SECRET": told}, tmp_path)
    assert told not in str(refused.value).replace("PLAYBOOKS_SECRET", "")


def test_a_file_that_was_cut_is_told(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("")
    with pytest.raises(UsageError, match="remove it"):
        read_secret({}, tmp_path)


def test_settings_do_not_show_it(tmp_path: Path) -> None:
    settings, _ = read_settings({"PLAYBOOKS_SECRET": GOOD}, site_url="http://127.0.0.1", var=tmp_path)
    assert settings.secret == GOOD.encode()
    assert GOOD not in repr(settings)


def test_it_is_on_the_disk_before_it_has_its_name(tmp_path: Path) -> None:
    calls: list[str] = []

    def look(_frame: FrameType, event: str, function: object) -> None:
        if event == "c_call" and (name := getattr(function, "__name__", "")) in ("fsync", "link"):
            calls.append(name)

    sys.setprofile(look)
    try:
        read_secret({}, tmp_path)
    finally:
        sys.setprofile(None)
    assert calls == ["fsync", "link", "fsync"]  # the file, its name, and the folder that holds the name


def test_all_of_it_is_written_before_it_is_made_sure_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda file: sizes.append(os.fstat(file).st_size))
    read_secret({}, tmp_path / "a" / "b")
    assert sizes[0] == 64


@pytest.mark.parametrize(
    ("told", "guessed"),
    [
        ("abcdefgh" * 4, False),
        (("abcdefgh" * 4)[:-1], True),
        ("abcdefg" * 5, True),
        ("\udc80bcdefgh" * 4, False),
    ],
)
def test_a_secret_has_thirty_two_characters_and_a_quarter_as_many_different_ones(told: str, *, guessed: bool) -> None:
    assert (secret_problem(told) is not None) is guessed
    if not guessed:
        assert read_secret({"PLAYBOOKS_SECRET": told}, Path("/nowhere")) == told.encode("utf-8", "surrogateescape")
