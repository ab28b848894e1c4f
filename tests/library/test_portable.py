"""Patterns are carried over to JavaScript faithfully or not at all."""

from __future__ import annotations

import pytest

from tools.private_table import to_javascript


@pytest.mark.parametrize(
    ("pattern", "source", "flags"),
    [
        (r"a\-b", "a-b", "u"),
        (r"(?i)\w+", r"[\p{L}\p{N}_]+", "ui"),
        (r"(?a)\w\d", r"\w\d", "u"),
        (r"[\w\-.]{1,3}", r"[\p{L}\p{N}_\-.]{1,3}", "u"),
        (r"(a)\1", r"(?<g1>a)\k<g1>", "u"),
        (r"[ab]{2,9}+c", "[ab]{2,9}c", "u"),
        (r"(?:a|b)++", "(?:a|b)+", "u"),
        (r"x\Z", "x$", "u"),
        (r"\d\D\s\S", r"\p{Nd}\P{Nd}\s\S", "u"),
        (r"(?a)\b\d\D", r"\b\d\D", "u"),
        (r"(?ia)[\d]", r"[\d]", "ui"),
        (r"[\d\s\S]", r"[\p{Nd}\s\S]", "u"),
        (r"[^\W\d_]", r"\p{L}", "u"),
        (r"[\.\@]\.\@", r"[\.@]\.@", "u"),
        (r"]a}", r"\]a\}", "u"),
        (r"a+b*c?", "a+b*c?", "u"),
        (r"(a)(b)\2", r"(?<g1>a)(?<g2>b)\k<g2>", "u"),
        (r"a++b?+\++", r"a+b?\++", "u"),
    ],
)
def test_what_is_known_is_carried_over(pattern: str, source: str, flags: str) -> None:
    assert to_javascript(pattern) == (source, flags)


@pytest.mark.parametrize("pattern", [r"\Aa", r"(?P<name>a)", r"[\W]", r"\B", r"(?>a)"])
def test_what_is_not_known_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"unknown escape|another kind"):
        to_javascript(pattern)
