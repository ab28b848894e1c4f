"""What a model is shown by the official TypeScript client: every tool and every error, as we meant them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mcpserver.server import INSTRUCTIONS
from mcpserver.tools import TOOLS
from tests.builders import BOOK

from .conftest import served
from .test_taking import MENDED, TAKEN

PROJECT = Path(__file__).resolve().parents[2]
NODE = PROJECT / "tests/node"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.system,
    pytest.mark.skipif(
        not (NODE / "node_modules/gpt-tokenizer").exists(), reason="needs the node tools (tests/install-system.sh)"
    ),
]
RUN = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
LONG = "The job unit is red, and green after a rerun of the same commit. " * 100
WORKING: list[tuple[str, dict[str, Any], str]] = [
    ("find_playbook", {"task": "our tests are flaky", "agent": "cursor"}, "## Prompt for cursor"),
    ("find_playbook", {"task": f"{LONG}Our flaky tests: mend them."}, "## Where to stop"),
    ("find_playbook", {"task": "zyzzyva qwrtpsd"}, "No playbook here fits this task."),
    ("search_playbooks", {"q": "flaky tests"}, f"`{BOOK}`"),
    ("search_playbooks", {"q": "flaky tests", "detail": "full"}, f"`{BOOK}`"),
    ("get_playbook", {"slug": BOOK}, "## Steps"),
    ("get_playbook", {"slug": BOOK, "detail": "full"}, "## Public accounts"),
    ("get_playbook", {"slug": "gone", "detail": "full"}, "**Withdrawn:**"),
    ("list_tasks", {}, "3 of 3:"),
    ("list_agents", {}, "`claude-code`"),
    ("list_lessons", {"detail": "full"}, "Fix:"),
    ("report_run", RUN, "it waits for an editor"),
    ("submit", {"title": "A job", "body": "What I want."}, "it waits for review"),
]
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("find_playbook", {}, "/task: is missing; add it"),
    ("search_playbooks", {"q": "x", "type": "piano"}, "/type: must be one of"),
    ("get_playbook", {"slug": "no-such-thing-at-all"}, "There is no playbook 'no-such-thing-at-all'."),
    ("list_agents", {"cursor": "x"}, "/cursor: is none that this list gave; leave it out"),
    ("report_run", {}, "/playbook: is missing; add it"),
    ("report_run", {**RUN, "lesson": "write to grace.hopper@navy.mil"}, "/lesson: holds an e-mail address"),
    ("submit", {"kind": "playbook", "title": "x", "body": "y"}, "/payload: is missing"),
    ("submission_status", {"id": "sub_x"}, "Not found (404)."),
    ("withdraw", {"id": "run_" + "a" * 26}, "Not found (404)."),
    ("withdraw", {"id": "run_x", "edit_token": "pbl_x"}, "/edit_token: must look like"),
    ("search_playbooks", {"q": "x" * 70_000}, "A message may have 64 KiB."),
    ("nothing", {}, "Unknown tool: nothing. Known are find_playbook"),
    ("get_playbook", {"slug": BOOK}, "## Steps"),  # the session lives
]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, site: tuple[Path, Path]) -> dict[str, Any]:
    """Everything that the client is shown, in one session."""
    calls = [(name, sent) for name, sent, _ in (*WORKING, *REFUSED, *TAKEN, *MENDED)]
    with served(tmp_path_factory.mktemp("clients"), site, write_limits="1000 per minute") as (port, _):
        command = ["node", "mcp-calls.mjs", f"http://127.0.0.1:{port}/mcp"]
        run = subprocess.run(
            command, input=json.dumps(calls), cwd=NODE, capture_output=True, text=True, timeout=180, check=False
        )
    assert run.returncode == 0, run.stderr[-3000:]
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def told(shown: dict[str, Any], rows: list[tuple[str, dict[str, Any], str]]) -> list[tuple[Any, ...]]:
    whole = [*WORKING, *REFUSED, *TAKEN, *MENDED]
    begin = next(place for place in range(len(whole)) if whole[place : place + len(rows)] == rows)
    return list(zip(rows, shown["calls"][begin:], strict=False))


def test_every_tool_is_called(shown: dict[str, Any]) -> None:
    assert {name for name, _, _ in (*WORKING, *REFUSED)} >= {tool.name for tool in TOOLS}
    assert [tool["name"] for tool in shown["listed"]] == [tool.name for tool in TOOLS]
    assert shown["instructions"] == INSTRUCTIONS


def test_what_works_is_shown_and_fits_its_schema(shown: dict[str, Any]) -> None:
    for (name, sent, said), answer in told(shown, WORKING):
        assert not answer.get("isError", True), (name, sent, answer)
        assert said in answer["text"], (name, answer["text"])
        assert answer["structured"], name


def test_every_error_is_shown_in_our_words(shown: dict[str, Any]) -> None:
    for (name, _, said), answer in told(shown, REFUSED):
        assert said in answer.get("text", answer.get("thrown")), (name, answer)
        assert "must have required property" not in json.dumps(answer)


def test_mistakes_are_taken_or_their_mend_is_shown(shown: dict[str, Any]) -> None:
    for (name, sent, said), answer in (*told(shown, TAKEN), *told(shown, MENDED)):
        assert said in answer["text"], (name, sent, answer)


def test_nothing_costs_more_tokens_than_it_may(shown: dict[str, Any]) -> None:
    assert sum(tool["tokens"][0] for tool in shown["listed"]) <= 2_000
    assert sum(tool["tokens"][1] for tool in shown["listed"]) <= 5_000
    for (name, _, _), answer in told(shown, WORKING):
        if name == "find_playbook":
            assert max(answer["tokens"]) <= 1_200
