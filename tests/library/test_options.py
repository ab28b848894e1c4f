"""Days as options, and the bar that shows how far a long work is, on a terminal alone."""

from __future__ import annotations

import sys
from datetime import date

import click
import pytest

from library.options import Progress, day


def test_a_day_is_written_in_one_way() -> None:
    assert day("2026-11-20") == date(2026, 11, 20)
    assert day(date(2026, 1, 2)) == date(2026, 1, 2)
    for text in ("2026-11-2", "2026-02-30", "20261120", "2026-11-200", "20-11-2026", "today", ""):
        with pytest.raises(click.BadParameter, match=r"such as 2026-11-20|is not a day in the calendar"):
            day(text)


def a_bar(monkeypatch: pytest.MonkeyPatch, *, watched: bool = True) -> Progress:
    """A bar of a work that began two seconds ago, on a terminal where it is watched."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: watched, raising=False)
    made = Progress("Reading")
    made.began -= 2
    return made


def test_a_bar_shows_how_much_is_done_and_ends_its_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bar = a_bar(monkeypatch)
    bar(500, 1_000)
    bar.shown += 1_000
    bar(501, 1_000)  # too soon after the last
    assert capsys.readouterr().err == f"\rReading [{'#' * 15}{'.' * 15}] 500/1,000"
    bar.shown -= 2_000
    bar(999, 1_000)
    bar(1_000, 1_000)
    assert capsys.readouterr().err == f"\rReading [{'#' * 30}] 999/1,000\rReading [{'#' * 30}] 1,000/1,000\n"
    bar(0, 0)
    assert capsys.readouterr().err == f"\rReading [{'.' * 30}] 0/0\n"


def test_a_short_work_and_one_that_nobody_watches_show_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    a_bar(monkeypatch, watched=False)(1, 1)
    a_bar(monkeypatch)
    Progress("Reading")(1, 1)
    assert capsys.readouterr().err == ""
