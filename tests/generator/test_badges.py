"""Badges for READMEs: well-formed whatever the title, a colour only from tested up, and the state of what is old."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.builders import BOOK

SVG = "{http://www.w3.org/2000/svg}"
QUIET, TESTED, GONE = "#545a63", "#1f4e9e", "#a8261d"


@pytest.mark.parametrize(
    ("slug", "words", "colour"),
    [
        (BOOK, "tested", TESTED),
        ("write-tests", "reported", QUIET),
        ("older", "deprecated", GONE),
        ("gone", "withdrawn", GONE),
    ],
)
def test_a_badge_says_the_level_or_the_state(rich_site: Path, slug: str, words: str, colour: str) -> None:
    root = ElementTree.fromstring((rich_site / "badges" / f"{slug}.svg").read_bytes())
    assert [text.text for text in root.iter(f"{SVG}text")] == ["playbook", words]
    assert [path.attrib["fill"] for path in root.iter(f"{SVG}path")] == [colour]
    assert str(root.attrib["aria-label"]).endswith(f": {words}")
    right = [float(text.attrib["x"]) + float(text.attrib["textLength"]) for text in root.iter(f"{SVG}text")]
    assert right[-1] < float(root.attrib["width"])
