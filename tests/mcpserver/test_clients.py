"""What a model is shown by official clients and by frameworks: every tool and every error, as we meant them."""

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
FRAMEWORKS = PROJECT / "tests/clients"
pytestmark = [pytest.mark.slow, pytest.mark.system]
with_node = pytest.mark.skipif(
    not (NODE / "node_modules/gpt-tokenizer").exists(), reason="needs the node tools (tests/install-system.sh)"
)
with_frameworks = pytest.mark.skipif(
    not (FRAMEWORKS / ".venv/.done").exists(), reason="needs the frameworks (tests/install-system.sh)"
)
IN_PYTHON = ("sdk", "langchain", "agents")
CLIENTS = (
    *(pytest.param(name, marks=with_node) for name in ("v1", "v2")),
    *(pytest.param(name, marks=with_frameworks) for name in IN_PYTHON),
)
"""The official TypeScript SDK in both generations, the first of Python's, LangChain's adapter, and OpenAI's agents."""
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
    ("list_agents", {"cursor": "x"}, "/cursor: is none of this list; leave it out"),
    ("report_run", {}, "/playbook: is missing; add it"),
    ("report_run", {**RUN, "lesson": "write to grace.hopper@navy.mil"}, "/lesson: holds an e-mail address"),
    ("submit", {"kind": "playbook", "title": "x", "body": "y"}, "/payload: is missing"),
    ("submission_status", {"id": "sub_" + "a" * 26}, "Not found (404)."),
    ("withdraw", {"id": "run_" + "a" * 26}, "Not found (404)."),
    ("withdraw", {"id": "run_x", "edit_token": "pbl_x"}, "/edit_token: must be the edit token of the receipt"),
    ("search_playbooks", {"q": "x" * 70_000}, "A message may have 64 KiB."),
    ("nothing", {}, "Unknown tool: nothing. Known are find_playbook"),
    ("get_playbook", {"slug": BOOK}, "## Steps"),  # the session lives
]


@pytest.fixture(scope="module", params=CLIENTS)
def client(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, site: tuple[Path, Path], client: str) -> dict[str, Any]:
    """Everything that a client is shown, in one session."""
    calls = [(name, sent) for name, sent, _ in (*WORKING, *REFUSED, *TAKEN, *MENDED)]
    with served(tmp_path_factory.mktemp("clients"), site, write_limits="1000 per minute") as (port, _):
        address = f"http://127.0.0.1:{port}/mcp"
        command, folder = ["node", "mcp-calls.mjs", address, client], NODE
        if client in IN_PYTHON:
            command, folder = [".venv/bin/python", "calls.py", address, client], FRAMEWORKS
        run = subprocess.run(
            command, input=json.dumps(calls), cwd=folder, capture_output=True, text=True, timeout=180, check=False
        )
    assert run.returncode == 0, run.stderr[-3000:]
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def told(shown: dict[str, Any], rows: list[tuple[str, dict[str, Any], str]]) -> list[tuple[Any, ...]]:
    whole = [*WORKING, *REFUSED, *TAKEN, *MENDED]
    begin = next(place for place in range(len(whole)) if whole[place : place + len(rows)] == rows)
    return list(zip(rows, shown["calls"][begin:], strict=False))


def never_sent(shown: dict[str, Any], name: str, sent: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether a framework refused a call by itself: no tool of that name, or, strict, without what is needed."""
    needed = {tool["name"]: tool.get("needed", ()) for tool in shown["listed"]}
    if name not in needed:
        return "thrown" in answer
    return answer.get("text") == "An error occurred while running the tool. Please try again." and bool(
        set(needed[name]) - set(sent)
    )


def test_every_tool_is_called(shown: dict[str, Any]) -> None:
    assert {name for name, _, _ in (*WORKING, *REFUSED)} >= {tool.name for tool in TOOLS}
    assert [tool["name"] for tool in shown["listed"]] == [tool.name for tool in TOOLS]
    assert shown.get("instructions", INSTRUCTIONS) == INSTRUCTIONS  # the newer protocol's clients do not keep them


def test_what_works_is_shown_and_fits_its_schema(shown: dict[str, Any]) -> None:
    for (name, sent, said), answer in told(shown, WORKING):
        assert not answer.get("isError"), (name, sent, answer)
        assert said in answer["text"], (name, answer["text"])
        assert answer.get("structured", {"text": "alone"}), name  # frameworks hand on the text alone


def test_every_error_is_shown_in_our_words(shown: dict[str, Any], client: str) -> None:
    for (name, sent, said), answer in told(shown, REFUSED):
        if never_sent(shown, name, sent, answer):
            continue
        if said == "A message may have 64 KiB." and client == "agents":
            continue  # an error of the protocol, not of a tool: it keeps those from the model
        assert said in answer.get("text", answer.get("thrown")), (name, answer)
        assert "must have required property" not in json.dumps(answer)


def test_mistakes_are_taken_or_their_mend_is_shown(shown: dict[str, Any]) -> None:
    for (name, sent, said), answer in (*told(shown, TAKEN), *told(shown, MENDED)):
        assert said in answer["text"] or never_sent(shown, name, sent, answer), (name, sent, answer)


def test_schemas_are_such_as_the_strictest_take(shown: dict[str, Any], client: str) -> None:
    """No reference and no choice of shapes; strict for OpenAI's agents, and said whole in Gemini's words."""
    listed = shown["listed"]
    assert not {"$ref", "anyOf", "oneOf", "allOf"} & set(json.dumps(listed).split('"'))
    if client == "agents":
        assert all(tool["strict"] for tool in listed)
    if client == "sdk":
        for tool in listed:
            assert set(tool["gemini"]["properties"]) == set(tool["inputSchema"]["properties"]), tool["name"]


def test_nothing_costs_more_tokens_than_it_may(shown: dict[str, Any], client: str) -> None:
    if client in IN_PYTHON:
        return  # they hand on the same texts, and count no tokens
    assert sum(tool["tokens"][0] for tool in shown["listed"]) <= 2_000
    assert sum(tool["tokens"][1] for tool in shown["listed"]) <= 5_000
    for (name, _, _), answer in told(shown, WORKING):
        if name == "find_playbook":
            assert max(answer["tokens"]) <= 1_200
