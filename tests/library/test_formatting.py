"""The canonical form: values never change, comments stay, and once is enough."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from library.content.formatting import canonical, format_bytes
from library.content.loading import TYPED
from library.content.yamlfile import Value, comments, parse

PROJECT = Path(__file__).resolve().parents[2]
TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n"), max_size=160).filter(
    lambda text: "\x85" not in text and "\u2028" not in text and "\u2029" not in text and "\ufeff" not in text
)
WORDS = st.lists(
    st.sampled_from("yes no 30 1.5 a: b # c 'q' \"d\" - x | > & * ! % @ ` {{v}} word another longer-word".split(" ")),
    max_size=40,
).map(" ".join)
KEYS = st.sampled_from("title summary task agents steps detail check prompt tags time other".split())
VALUES: st.SearchStrategy[Value] = st.recursive(
    TEXT | WORDS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)


def said(text: str) -> Counter[str]:
    """The comments of a text."""
    return Counter(comment for *_, comment in comments(text))


def values(raw: bytes) -> Value | None:
    return parse(raw.decode(), "playbooks/x.yaml", typed=TYPED).value


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=6))
def test_canonical_text_holds_the_values_and_needs_no_change(value: dict[str, Value]) -> None:
    text = canonical(value, "playbooks/x.yaml")
    assert values(text) == value
    assert format_bytes(text, "playbooks/x.yaml") == text


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=6), st.booleans(), st.sampled_from([40, 80, 1000]))
def test_any_layout_comes_to_the_same_form(value: dict[str, Value], flow: bool, width: int) -> None:
    dumped = yaml.safe_dump(value, default_flow_style=flow, width=width, allow_unicode=True, sort_keys=False).encode()
    before = values(dumped)
    result = format_bytes(dumped, "playbooks/x.yaml")
    if isinstance(result, bytes):
        assert values(result) == before
        assert format_bytes(result, "playbooks/x.yaml") == result
    else:
        assert before is None or result[0].code == "not-formatted"


SCHEMA = "# yaml-language-server: $schema=../../schemas/playbook.json"
MESSY = b"""\
# yaml-language-server: $schema=x

# why this exists
summary: 30 # a number
title: 'it''s'

# before tags
tags: [b, "a"]
prompt: |
  one

   two
steps:
- title: x # first
  detail: >
     folded
     text
  check: "z: q"
"""


def test_comments_stay_with_what_they_speak_of() -> None:
    result = format_bytes(MESSY, "playbooks/x.yaml")
    assert isinstance(result, bytes)
    lines = result.decode().splitlines()
    assert lines[0] == "# yaml-language-server: $schema=x"
    for comment in ("# why this exists", "# a number", "# before tags", "# first"):
        assert sum(comment in line for line in lines) == 1
    assert lines[lines.index("# before tags") + 1] == "tags:"
    assert 'summary: "30" # a number' in lines
    assert values(result) == values(MESSY)
    keys = [line.split(":")[0] for line in lines if line and line[0] not in " #"]
    assert keys == ["title", "summary", "prompt", "steps", "tags"]
    assert format_bytes(result, "playbooks/x.yaml") == result


@pytest.mark.parametrize(
    "text",
    [
        "agents:\n  - >-  # C1\n    hello\n",
        "title: >-  # C1\n  short\n",
        "{a: b, # C1\n  # C2\n  c: d}\n",
        "agents: [ # C1\n  a, b]\n",
        "steps:\n  - {title: a, detail: b} # C1\n  # C2\n  - {title: c}\n",
        "--- # C1\ntitle: T\n",
        "   # C1\ntitle: T\n",
        "#\n#\n# C1\n\n\n# C2\ntitle: T\n",
        "--- # C1\n\ntitle: T\n",
        "title: T\t# C1\n",
        "title: T\n# last\n",
        "title: 'a # b' # c\nprompt: |\n  # not a comment\n  x\n",
        "title: a#b\n",
    ],
)
def test_no_comment_is_lost(text: str) -> None:
    result = format_bytes(text.encode(), "playbooks/x.yaml")
    if isinstance(result, bytes):
        assert said(result.decode()) == said(text) + Counter([SCHEMA])
        assert values(result) == values(text.encode())
        assert format_bytes(result, "playbooks/x.yaml") == result
    else:
        assert [problem.code for problem in result] == ["not-formatted"]


def test_comments_are_told_from_text() -> None:
    text = "# a\ntitle: 'x # y' # b\nprompt: >- # c\n  # d\n  e\nsummary: f#g\n"
    assert said(text) == {"# a": 1, "# b": 1, "# c": 1}


def shaped(text: str, file: str = "tasks/a.yaml") -> str:
    result = format_bytes(text.encode(), file)
    assert isinstance(result, bytes), result
    return result.decode().split("\n", 1)[1]


def test_keys_take_their_comments_along_and_unknown_ones_go_last() -> None:
    text = "zzz: a\n# of the summary\nsummary: S\n'category': c\n# of the name\nname: It\n"
    assert shaped(text) == "# of the name\nname: It\ncategory: c\n# of the summary\nsummary: S\nzzz: a\n"
    assert format_bytes(b"b: x\na: z\n", "notes/x.yaml") == b"b: x\na: z\n"


def test_what_stands_at_the_very_top_stays_there() -> None:
    assert shaped("# the head\n\nsummary: S\nname: It\n") == "# the head\n\nname: It\nsummary: S\n"
    assert shaped(f"{SCHEMA}\n# of it\nsummary: S\nname: It\n") == "name: It\n# of it\nsummary: S\n"


def test_a_comment_that_ends_a_list_or_a_file_stays_there() -> None:
    text = "name: It\naliases:\n  - a # one\n  # - b\nsummary: S\n# the end\n"
    assert shaped(text, "agents/a.yaml") == "name: It\nsummary: S\naliases:\n  - a # one\n  # - b\n# the end\n"


@pytest.mark.parametrize(
    "text",
    [
        "updated: 2026-02-30\n",
        "title: 0x_\n",
        "title: 0b_\n",
        f"title: {'9' * 5000}\n",
        "title: 2026-13-01T99:00\n",
        "- a\n",
    ],
)
def test_what_other_readers_choke_on_is_no_crash(text: str) -> None:
    result = format_bytes(text.encode(), "playbooks/x.yaml")
    assert isinstance(result, list) or values(result) == values(text.encode())


@pytest.mark.parametrize("ending", [b"\r\n", b"\r"])
def test_line_ends_are_mended(ending: bytes) -> None:
    text = b"title: T\nsummary: S\n"
    assert (
        format_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", ending), "playbooks/x.yaml") == f"{SCHEMA}\n".encode() + text
    )


def test_each_file_names_its_schema_once_and_one_that_names_another_keeps_it() -> None:
    for file, line in (
        ("playbooks/x.yaml", SCHEMA),
        ("runs/x/run_1.yaml", "# yaml-language-server: $schema=../../../schemas/run.json"),
        ("site.yaml", "# yaml-language-server: $schema=../schemas/site.json"),
    ):
        once = format_bytes(b"# why\ntitle: T\n", file)
        assert once == f"{line}\n# why\ntitle: T\n".encode()
        assert format_bytes(once, file) == once
        assert canonical({"title": "T"}, file) == f"{line}\ntitle: T\n".encode()
    other = b"# yaml-language-server: $schema=https://library.example/playbook.json\ntitle: T\n"
    assert format_bytes(other, "playbooks/x.yaml") == other


def test_problems_are_told_where_they_stand_though_a_line_comes_above_them() -> None:
    result = format_bytes(b"title: T\ntitle: U\n", "playbooks/x.yaml")
    assert isinstance(result, list)
    assert [problem.line for problem in result] == [2]


@pytest.mark.parametrize("raw", [b"", b"\x00", b"a: [", b"a: b\na: c", b"a: &x b", b"- [[", b"\xff\xfe"])
def test_what_cannot_be_read_is_not_formatted(raw: bytes) -> None:
    result = format_bytes(raw, "playbooks/x.yaml")
    assert isinstance(result, list)
    assert result
