"""Mistakes that models make over MCP: each is taken at once and said, or its answer names the one mend."""

from __future__ import annotations

from typing import Any

import pytest

from server.app import Service
from tests.builders import BOOK
from tests.service import HERE

from .conftest import Asker, problem

RUN = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
PAYLOAD = {"title": "Tune a piano", "agents": ["claude-code"], "summary": "By ear.", "prompt": "Do.", "steps": ["One."]}
PAYLOAD_TEXT = '{"title": "A", "agents": ["b"], "summary": "c", "prompt": "d", "steps": ["e"]}'
SUBMISSION = {"kind": "playbook", "title": "Tune a piano", "body": "How to."}
TAKEN: list[tuple[str, dict[str, Any], str]] = [
    ("find_playbook", {"query": "tests fail only sometimes"}, "`query` was read as `task`."),
    ("find_playbook", {"prompt": "tests fail only sometimes"}, "`prompt` was read as `task`."),
    ("search_playbooks", {"query": "flaky tests"}, "`query` was read as `q`."),
    ("search_playbooks", {"question": "flaky tests", "max_results": 3}, "`max_results` was read as `limit`."),
    ("search_playbooks", {"q": "flaky tests", "limit": "5"}, ""),
    ("search_playbooks", {"q": "flaky tests", "limit": 5.0}, ""),
    ("search_playbooks", {"q": "flaky tests", "limit": 500}, "limit 500 was taken as 50."),
    ("search_playbooks", {"q": "flaky tests", "limit": 0}, "limit 0 was taken as 1."),
    ("search_playbooks", {"q": "flaky tests", "type": "Playbook"}, "type was read as playbook."),
    ("search_playbooks", {"q": "flaky tests", "type": "playbooks"}, "type was read as playbook."),
    ("search_playbooks", {"q": "flaky tests", "type": None, "agent": None}, ""),
    ("search_playbooks", {"q": "flaky tests", "type": "", "agent": "", "category": ""}, ""),
    ("search_playbooks", {"q": "flaky tests", "proven": "false"}, ""),
    ("search_playbooks", {"q": "flaky tests", "minTrust": "reported"}, "`minTrust` was read as `min_trust`."),
    ("search_playbooks", {"q": "flaky tests", "agent": "Claude Code"}, ""),
    ("get_playbook", {"slug": "Fix flaky tests"}, f"was read as the playbook `{BOOK}`, by its"),
    ("get_playbook", {"slug": "fix_flaky_tests"}, f"was read as the playbook `{BOOK}`, by its"),
    ("get_playbook", {"slug": f"{HERE}/playbooks/{BOOK}/"}, "by its address"),
    ("get_playbook", {"slug": f"{HERE}/api/v1/playbooks/{BOOK}"}, "by its address"),
    ("get_playbook", {"slug": f"/playbooks/{BOOK}.md"}, "by its address"),
    ("get_playbook", {"slug": f"playbook://{BOOK}"}, "by its address"),
    ("get_playbook", {"slug": f"skill://{BOOK}/SKILL.md"}, "by its address"),
    ("get_playbook", {"slug": "fix-flakey-tests"}, "because no other is like it"),
    ("get_playbook", {"slug": "fix-flaky-test"}, "because no other is like it"),
    ("get_playbook", {"playbook": BOOK}, "`playbook` was read as `slug`."),
    ("get_playbook", {"id": BOOK}, "`id` was read as `slug`."),
    ("get_playbook", {"slug": BOOK, "sections": "steps, Failures"}, ""),
    ("get_playbook", {"slug": BOOK, "sections": ["Steps", "failure"]}, ""),
    ("get_playbook", {"slug": BOOK, "sections": '["steps", "Stops"]'}, ""),
    ("get_playbook", {"slug": BOOK, "sections": ["checks"]}, "sections was read as ['steps']."),
    ("get_playbook", {"slug": BOOK, "version": "Latest"}, ""),
    ("get_playbook", {"slug": BOOK, "detail": "verbose"}, "detail was read as full."),
    ("get_playbook", {"playbook_id": BOOK, "agent_name": "cursor"}, "`agent_name` was read as `agent`."),
    ("get_playbook", {"arguments": {"slug": BOOK}}, "What is in `arguments` was read as the arguments."),
    ("get_playbook", {"input": f'{{"slug": "{BOOK}"}}'}, "What is in `input` was read as the arguments."),
    ("get_playbook", {"slug": f" {BOOK} "}, f"was read as the playbook `{BOOK}`"),
    ("get_playbook", {"slug": f"`{BOOK}`"}, f"was read as the playbook `{BOOK}`"),
    ("list_tasks", {"limit": "20", "cursor": None}, ""),
    ("list_agents", {"page_size": 1_000}, "limit 1000 was taken as 100."),
    ("list_lessons", {"next_cursor": ""}, ""),
    ("report_run", {**RUN, "duration_minutes": "30"}, ""),
    ("report_run", {**RUN, "agent_version": 2.1, "model": None, "lesson": ""}, ""),
    ("report_run", {**RUN, "outcome": "Worked"}, "outcome was read as worked."),
    ("report_run", {**RUN, "outcome": "worked with changes"}, "outcome was read as worked_with_changes."),
    ("report_run", {"slug": BOOK, "agent": "cursor", "result": "failed"}, "`result` was read as `outcome`."),
    ("submit", {**SUBMISSION, "payload": {**PAYLOAD, "agents": "claude-code"}}, ""),
    ("report_run", {"playbook": BOOK, "agent_name": "cursor", "result": "failed"}, "`agent_name` was read as `agent`."),
    ("submit", {"type": "lesson", "title": "A", "content": "It was."}, "`content` was read as `body`."),
    ("submit", {**SUBMISSION, "payload": PAYLOAD_TEXT}, ""),
]
MENDED: list[tuple[str, dict[str, Any], str]] = [
    ("get_playbook", {"slug": BOOK, "version": "1.0"}, "has no version '1.0'. No version of it is kept."),
    ("get_playbook", {"slug": BOOK, "since": "latest"}, "has no version 'latest'. No version"),
    ("get_playbook", {"slug": BOOK, "sections": "steps,all"}, "- /sections/1: must be one of 'prompt', "),
    ("report_run", {**RUN, "outcome": "success"}, "must be one of 'worked', 'worked_with_changes' or 'failed'"),
    ("report_run", {**RUN, "playbook": "fix-flakey-tests"}, "/playbook: is no playbook of this library"),
    ("get_playbook", {"slug": "mend tests that fail sometimes"}, BOOK),
    ("submission_status", {"id": BOOK}, "- /id: must be the id of its receipt: run_ or sub_ and"),
    ("submission_status", {"id": "sub_" + "a" * 26}, "with this id; the receipt of what was sent has it."),
    ("get_playbook", {"slug": "tests of a piano"}, "Where none is meant, give find_playbook the whole task."),
]
ODD: list[tuple[str, dict[str, Any], str]] = [
    ("find_playbook", {"task": "   "}, "- /task: "),
    ("find_playbook", {"input": {"text": "a"}}, "/task: must be text, not an object"),
    ("find_playbook", {"task": ["a", "b"]}, "/task: must be text, not an array"),
    ("search_playbooks", {"q": "x", "proven": "perhaps"}, "/proven: must be true or false"),
    ("search_playbooks", {"q": "x", "limit": "many"}, "/limit: must be a whole number"),
    ("search_playbooks", {"q": {"text": "x"}}, "/q: must be text, not an object"),
    ("get_playbook", {"slug": "\u202eabc"}, "There is no playbook '\\u202eabc'."),
    ("get_playbook", {"slug": BOOK, "since": "a\x00b"}, "has no version 'a\\x00b'."),
    ("get_playbook", {"slug": BOOK, "sections": 7}, "/sections: must be an array"),
    ("report_run", {**RUN, "outcome": 7}, "/outcome: must be one of 'worked', 'worked_with_changes' or 'failed'"),
    ("report_run", {**RUN, "lesson": "a\x00b"}, "/lesson: holds an invisible character"),
    ("report_run", {**RUN, "idempotency_key": "a key"}, "/idempotency_key: must be 1-255 printable ASCII characters"),
    ("submit", {"title": "x" * 9_000, "body": "y"}, "/title: is too long: at most 200 characters, and here are 9000"),
    ("submit", {"title": "x", "body": "y", "payload": ["z"]}, "/payload: must be an object"),
    ("submission_status", {"id": {"a": 1}}, "/id: must be text, not an object"),
    ("withdraw", {"id": "run_x", "edit_token": "x"}, "/edit_token: must be the edit token of the receipt"),
]
"""Odd input; what the model reads of it is in plain words, and names the argument that it knows."""


@pytest.mark.parametrize(("name", "sent", "said"), ODD)
def test_of_odd_input_the_model_reads_plain_words(reading: Service, name: str, sent: dict[str, Any], said: str) -> None:
    result = Asker(reading).call(name, **sent)
    assert result.is_error
    words = result.content[0].text
    assert said in words
    assert "was read as" not in words
    for of_a_program in (
        "^",
        "Input should",
        "Traceback",
        "at this address",
        "/q:" if name != "search_playbooks" else "^",
    ):
        assert of_a_program not in words


@pytest.mark.parametrize(("name", "sent", "said"), TAKEN)
def test_what_is_meant_is_taken_and_said(reading: Service, name: str, sent: dict[str, Any], said: str) -> None:
    result = Asker(reading).call(name, **sent)
    assert not result.is_error, result.content[0].text
    assert said in result.content[0].text
    assert said in " ".join(result.structured_content.get("notes", ()))
    if name == "get_playbook":
        assert result.structured_content["slug"] == BOOK


@pytest.mark.parametrize(("name", "sent", "mend"), MENDED)
def test_what_cannot_be_meant_names_its_mend(reading: Service, name: str, sent: dict[str, Any], mend: str) -> None:
    result = Asker(reading).call(name, **sent)
    assert mend in result.content[0].text
    assert 400 <= problem(result)["status"] < 500
    assert "search_playbooks" not in result.content[0].text, "the mend is in what is said of it"
