"""The table of private matter for browsers holds each shape whole: nothing of what the search looks at is left out."""

from __future__ import annotations

from library.rules import privacy
from library.rules.privacy import browser_table
from tools import private_table
from tools.private_table import to_javascript


def test_every_shape_is_told_whole_and_in_its_turn() -> None:
    assert browser_table()["shapes"] == [
        {
            "kind": shape.kind,
            "words": privacy.KINDS_IN_WORDS[shape.kind],
            "pattern": to_javascript(shape.pattern)[0],
            "flags": to_javascript(shape.pattern)[1],
            "accept": "" if shape.accept is bool else shape.accept.__name__,
            "when": shape.when,
            "hints": list(shape.hints),
            "refused": shape.refused,
        }
        for shape in privacy.SHAPES
    ]
    assert {shape["accept"] for shape in browser_table()["shapes"]} > {""}


def test_the_patterns_that_functions_use_are_those_of_the_library() -> None:
    told = browser_table()
    assert told["patterns"] == {name: list(to_javascript(one.pattern)) for name, one in privacy.PATTERNS.items()}
    assert told["ibans"] == privacy.IBAN_LENGTHS


def test_the_committed_table_is_what_the_tool_writes() -> None:
    assert private_table.FILE.read_text(encoding="utf-8") == private_table.text(), "python -m tools.private_table"
