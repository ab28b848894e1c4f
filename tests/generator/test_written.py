"""What several processes wrote is told as if one had: counts add up, and the largest files are the largest of all."""

from __future__ import annotations

from build.units import MOST_LARGE, Written


def test_the_largest_files_are_kept_in_order_whatever_order_they_come_in() -> None:
    written = Written()
    sizes = [(f"file-{size}", size) for size in (3, 9, 1, 7, 5, 8, 2, 6, 4)]
    for one in sizes:
        written.note_sizes([one])
    assert written.largest == [(f"file-{size}", size) for size in (9, 8, 7, 6, 5)]
    assert len(written.largest) == MOST_LARGE
    written.note_sizes([("as-large", 5), ("smaller", 4)])
    assert written.largest[-1] == ("as-large", 5)


def test_the_parts_of_several_processes_make_one() -> None:
    one, other, total = Written(files=2, hidden=["a"]), Written(files=3, hidden=["b"]), Written(files=1)
    one.note_sizes([("x", 10)])
    other.note_sizes([("y", 20)])
    total.add(one)
    total.add(other)
    assert (total.files, total.hidden, total.largest) == (6, ["a", "b"], [("y", 20), ("x", 10)])
