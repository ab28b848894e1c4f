"""Small changes to a file: what they set and add, and that all else stays."""

from __future__ import annotations

import pytest

from library.content.formatting import changed, format_bytes
from library.content.loading import TYPED
from library.content.yamlfile import parse
from tests.builders import PLAYBOOK

FILE = "playbooks/x.yaml"
_FAILURES = "# about failures\nfailures:  # known\n  - problem: one  # first\n    fix: a\n# day\nupdated:"
COMMENTED = f"# yaml-language-server: $schema=x\n{PLAYBOOK.replace('updated:', _FAILURES)}# the end\n"


def values(body: object) -> dict[str, object]:
    assert isinstance(body, bytes), body
    assert format_bytes(body, FILE) == body
    value = parse(body.decode(), FILE, typed=TYPED).value
    assert isinstance(value, dict)
    return {**value}


def comments(body: object) -> list[str]:
    assert isinstance(body, bytes)
    return [line for line in body.decode().splitlines() if "#" in line]


def test_an_item_goes_to_the_end_of_its_list_and_comments_stay() -> None:
    body = changed(COMMENTED.encode(), FILE, items={"failures": [{"problem": "# two: x", "fix": "---\n{{ b }}"}]})
    assert values(body)["failures"] == [{"problem": "one", "fix": "a"}, {"problem": "# two: x", "fix": "---\n{{ b }}"}]
    assert [line.strip() for line in comments(body) if "two" not in line] == [
        "# yaml-language-server: $schema=x",
        "# about failures",
        "failures:  # known",
        "- problem: one  # first",
        "# day",
        "# the end",
    ]


def test_a_list_that_is_not_there_is_made_in_its_place() -> None:
    body = changed(COMMENTED.encode(), FILE, items={"contributors": [{"handle": "cleo"}]})
    assert values(body)["contributors"] == [{"handle": "cleo"}]
    assert list(values(body))[-2:] == ["updated", "contributors"]
    assert b"# day\nupdated: 2026-11-01\n" in (body if isinstance(body, bytes) else b"")


def test_a_list_that_holds_nothing_gets_its_first_item() -> None:
    body = changed((PLAYBOOK + "failures: []\n").encode(), FILE, items={"failures": [{"problem": "p", "fix": "f"}]})
    assert values(body)["failures"] == [{"problem": "p", "fix": "f"}]


def test_the_last_list_of_a_file_grows_before_the_comment_that_ends_it() -> None:
    text = PLAYBOOK + "contributors:\n  - handle: ann\n# the end\n"
    body = changed(text.encode(), FILE, items={"contributors": [{"handle": "bea"}]})
    assert isinstance(body, bytes)
    assert body.endswith(b"  - handle: ann\n  - handle: bea\n# the end\n")


def test_fields_are_set_and_removed() -> None:
    text = COMMENTED.replace("outcome:", "status: active\noutcome:")
    body = changed(
        text.encode(), FILE, fields={"status": None, "updated": "2026-11-20", "status_reason": "a: b # c\n- d"}
    )
    found = values(body)
    assert "status" not in found
    assert (found["updated"], found["status_reason"]) == ("2026-11-20", "a: b # c\n- d")
    assert "# day" in comments(body)
    assert "# the end" in comments(body)


def test_nothing_asked_changes_nothing() -> None:
    shaped = format_bytes(COMMENTED.encode(), FILE)
    assert changed(COMMENTED.encode(), FILE) == shaped


@pytest.mark.parametrize("text", ["", "- a\n", "a: [", "a: &x b\n", "\0"])
def test_what_is_no_record_is_not_changed(text: str) -> None:
    assert isinstance(changed(text.encode(), FILE, fields={"updated": "2026-11-20"}), list)
