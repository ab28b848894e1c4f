"""The page for agents: its configurations are what they say they are, and its requests are answered."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.front import deployed
from tests.rich import write_rich_content
from tests.server.test_serve import start
from tests.service import fronts

PROJECT = Path(__file__).resolve().parents[2]
TEXT = (PROJECT / "docs/agents.md").read_text(encoding="utf-8")
HERE = "https://library.example"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def settings() -> list[Any]:
    return [json.loads(code) for language, code in BLOCKS if language == "json"]


def test_configurations_are_whole_and_name_the_server() -> None:
    found = [value for value in settings() if "hooks" not in value]
    found += [tomllib.loads(code) for language, code in BLOCKS if language == "toml"]
    assert len(found) >= 6
    for value in found:
        servers = value.get("mcpServers") or value.get("servers") or value.get("mcp_servers")
        server = servers["playbooks"]
        assert HERE in json.dumps(server)
        assert server.get("url", server.get("httpUrl", f"{HERE}/mcp")) == f"{HERE}/mcp"
        assert "pk_" not in json.dumps(server)


def test_what_it_says_of_reports_holds_the_two_rules() -> None:
    part = TEXT.partition("## Reporting a run")[2]
    assert "Ask the user first" in part
    assert "no private data" in part


READ: dict[str, Any] = {"tool_name": "mcp__playbooks__find_playbook", "tool_input": {"task": "x"}}
ENDS = {"Stop": "PreToolUse", "AfterAgent": "BeforeTool"}


def hooked(folder: Path, name: str, session: str = "a", **event: Any) -> dict[str, Any]:
    """What the hook answers to an event."""
    (hook,) = (code for language, code in BLOCKS if language == "python")
    sent = json.dumps({"session_id": session, "hook_event_name": name, **event})
    ran = [sys.executable, "-W", "error", "-c", hook]
    done = subprocess.run(
        ran, input=sent, env={"TMPDIR": str(folder)}, check=True, capture_output=True, text=True, timeout=60
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize(("end", "tool"), ENDS.items())
def test_the_hook_has_the_agent_ask_once_where_a_playbook_was_read(tmp_path: Path, end: str, tool: str) -> None:
    assert hooked(tmp_path, end) == {}
    assert hooked(tmp_path, tool, **READ) == {}
    assert hooked(tmp_path, end, stop_hook_active=True) == hooked(tmp_path, end, "b") == {}
    asked = hooked(tmp_path, end, stop_hook_active=False)
    assert asked["decision"] == "block"
    for said in ("ask the user", "without private data", "Only after a yes", "No means no"):
        assert said in asked["reason"]
    assert hooked(tmp_path, tool, **READ) == hooked(tmp_path, end) == {}


def test_the_hook_is_silent_where_a_report_was_called(tmp_path: Path) -> None:
    for name in ("find_playbook", "report_run"):
        assert hooked(tmp_path, "BeforeTool", tool_name=f"mcp_playbooks_{name}") == {}
    assert hooked(tmp_path, "AfterAgent") == {}


def test_the_hook_is_set_where_tools_of_the_library_begin_and_where_the_agent_stops() -> None:
    found = [value["hooks"] for value in settings() if "hooks" in value]
    assert [(after, end) for after, end in found] == [(tool, end) for end, tool in ENDS.items()]
    for hooks in found:
        (of_tools,), (of_ends,) = hooks.values()
        assert re.fullmatch(of_tools["matcher"], READ["tool_name"])
        assert not re.fullmatch(of_tools["matcher"], "mcp__other__find_playbook")
        assert of_tools["hooks"] == of_ends["hooks"]


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("agents-doc")
    if fronts:
        with deployed(write_rich_content(folder), folder) as stack:
            yield stack.nginx.url
        return
    process, address = start(write_rich_content(folder), folder / "out")
    yield address
    process.terminate()
    process.communicate(timeout=60)


def commands() -> list[str]:
    """Every command of the page that asks the library by curl, with the setting that it needs."""
    lines = [code.replace("\\\n", " ") for language, code in BLOCKS if language == "console"]
    found = [line.removeprefix("$ ") for code in lines for line in re.split(r"\n(?=\$ )", code) if "curl " in line]
    return [f"SITE={HERE}; {line}" for line in found]


@pytest.mark.slow
@pytest.mark.parametrize("command", commands())
def test_requests_are_answered(serving: str, tmp_path: Path, command: str) -> None:
    (tmp_path / ".claude/skills/fix-flaky-tests").mkdir(parents=True)
    asked = command.replace(HERE, serving).replace("curl ", "curl --fail --silent --show-error ")
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", asked], cwd=tmp_path, check=False, capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout or any(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
