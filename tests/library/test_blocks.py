"""Keys are put in the model's order with the comments that belong to them, and blank lines stay within values."""

from __future__ import annotations

from library.content.formatting import blocks_of, in_order, key_of

FILE = "tasks/a.yaml"


def test_keys_take_their_comments_along_and_unknown_ones_go_last() -> None:
    text = "zzz: 1\n# of the summary\nsummary: S\n'category': c\n# of the name\nname: N\n"
    assert in_order(text, FILE) == "# of the name\nname: N\n'category': c\n# of the summary\nsummary: S\nzzz: 1\n"


def test_what_stands_at_the_very_top_stays_there() -> None:
    assert in_order("# the head\n\nsummary: S\nname: N\n", FILE) == "# the head\n\nname: N\nsummary: S\n"
    line = "# yaml-language-server: $schema=x\n"
    assert in_order(f"{line}summary: S\nname: N\n", FILE) == f"{line}name: N\nsummary: S\n"
    assert blocks_of(f"{line}a: 1\n") == ([line.strip()], [["a: 1"]])


def test_blank_lines_and_comments_within_a_value_stay_there_and_others_go() -> None:
    text = "a: >-\n  one\n\n\n  two\n\n# within\n  three\n\nb:\n- x\n\n- y\n# at the end\n"
    assert blocks_of(text) == (
        [],
        [
            ["a: >-", "  one", "", "", "  two", "# within", "  three"],
            ["b:", "- x", "", "- y", "# at the end"],
        ],
    )


def test_a_file_of_no_known_kind_keeps_its_order() -> None:
    assert in_order("b: 1\na: 2\n", "notes/x.yaml") == "b: 1\na: 2\n"
    assert in_order("site_url: x\ntitle: y\n", "site.yaml") == "title: y\nsite_url: x\n"


def test_a_block_is_known_by_its_key() -> None:
    assert [key_of(block) for block in (["# c", "a: b: c"], ['"q": 1'], ["", "  x", "k:"], [])] == ["a", "q", "k", ""]
