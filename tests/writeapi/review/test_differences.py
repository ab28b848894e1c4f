"""The difference that a page shows of a file: numbered lines, three around each change; none of a long one."""

from __future__ import annotations

from writeapi.review.web.item import DiffLine, difference


def test_each_change_stands_among_three_lines_around_it() -> None:
    old = "".join(f"line {number}\n" for number in range(1, 21))
    new = old.replace("line 5\n", "line five\n").replace("line 20\n", "line 20\nline 21\n")
    assert [(line.mark, line.old, line.new, line.text) for line in difference(old, new)] == [
        ("…", None, None, ""),
        ("", 2, 2, "line 2"),
        ("", 3, 3, "line 3"),
        ("", 4, 4, "line 4"),
        ("-", 5, None, "line 5"),
        ("+", None, 5, "line five"),
        ("", 6, 6, "line 6"),
        ("", 7, 7, "line 7"),
        ("", 8, 8, "line 8"),
        ("…", None, None, ""),
        ("", 18, 18, "line 18"),
        ("", 19, 19, "line 19"),
        ("", 20, 20, "line 20"),
        ("+", None, 21, "line 21"),
    ]
    assert difference("a\n", "b\n") == (DiffLine("-", 1, None, "a"), DiffLine("+", None, 1, "b"))
    assert difference(old, old) == ()


def test_files_of_more_than_4000_lines_are_not_compared() -> None:
    too_long = (DiffLine("…", None, None, "The file is too long to be compared here."),)
    most = "".join(f"{number}\n" for number in range(4_000))
    assert difference(most, most) == ()
    assert difference(f"{most}x\n", "a\n") == too_long
    assert difference("a\n", f"{most}x\n") == too_long
