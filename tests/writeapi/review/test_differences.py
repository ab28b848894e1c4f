"""The difference that a page shows of a file: three lines around each change; none of a long one."""

from __future__ import annotations

from writeapi.review.web.pages import MOST_LINES, difference


def test_each_change_stands_among_three_lines_around_it() -> None:
    old = "".join(f"line {number}\n" for number in range(1, 21))
    new = old.replace("line 5\n", "line five\n").replace("line 20\n", "line 20\nline 21\n")
    assert difference(old, new) == [
        "@@ -2,7 +2,7 @@", " line 2", " line 3", " line 4", "-line 5", "+line five", " line 6", " line 7", " line 8",
        "@@ -18,3 +18,4 @@", " line 18", " line 19", " line 20", "+line 21",
    ]  # fmt: skip
    assert difference("a\n", "b\n") == ["@@ -1 +1 @@", "-a", "+b"]
    assert difference(old, old) == []


def test_files_of_more_than_4000_lines_are_not_compared() -> None:
    too_long = ["@@ The file is too long to be compared here. @@"]
    most = "".join(f"{number}\n" for number in range(MOST_LINES))
    assert difference(most, most) == []
    assert difference(f"{most}x\n", "a\n") == too_long
    assert difference("a\n", f"{most}x\n") == too_long
