"""The first duration that a text names, as minutes of work."""

from __future__ import annotations

import pytest

from library.records.durations import minutes


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1-4 hours", 60),
        ("Under ten minutes for a proposed fix (allow two hours), then the reruns", 10),
        ("Two to five minutes per case once it stands", 2),
        ("Half a day to two days for one table", 240),
        ("A day or two to connect transcripts", 480),
        ("Hours where the tables were well defined and a weekend with the metrics still to write", 180),
        ("No account gives hours. Plan half a day for guide and dry run", 240),
        ("No account gives the building time; plan a few days, then two weeks", 1440),
        ("A morning for a proof of concept", 240),
        ("2.5 hours", 150),
        ("An hour", 60),
        ("It depends on the day", None),
        ("0 minutes", 0),
        ("", None),
        ("9" * 400 + " hours", 180),
    ],
)
def test_the_first_duration_counts(text: str, wanted: int | None) -> None:
    assert minutes(text) == wanted
