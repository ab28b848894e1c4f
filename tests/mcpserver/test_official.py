"""The protocol's own checkers: the conformance suite, and the inspector as a client of both eras."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from mcpserver.tools import TOOLS
from tests.builders import BOOK
from tests.front import deployed
from tests.lengths import LONG, many
from tests.service import fronts

from .conftest import served

PROJECT = Path(__file__).resolve().parents[2]
NODE = PROJECT / "tests/node/node_modules/.bin"
REQUIREMENTS = PROJECT / "tests/node/node_modules/@modelcontextprotocol/conformance/requirements/2026-07-28.yaml"
BASELINE = Path(__file__).with_name("conformance-2026-07-28.yaml")
FIXTURE_ONLY = re.compile(
    r"(Unknown tool: test_|Prompt 'test_|Resource not found|Not testable: server does not list the diagnostic tool"
    r"|could not get initial InputRequiredResult|Expected InputRequiredResult)"
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.system,
    pytest.mark.skipif(not (NODE / "conformance").exists(), reason="needs the node tools (tests/install-system.sh)"),
]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, site: tuple[Path, Path]) -> Iterator[int]:
    if fronts:
        folder = tmp_path_factory.mktemp("official")
        with deployed(site[0], folder, write_limits="1000 per minute") as stack:
            yield stack.nginx.address.port
        return
    with served(tmp_path_factory.mktemp("official"), site, write_limits="1000 per minute") as (number, _):
        yield number


def node(tmp_path: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """One of the tools, with a home of its own."""
    path = f"{NODE}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [str(NODE / command[0]), *command[1:]],
        env={**os.environ, "PATH": path, "HOME": str(tmp_path), "NO_COLOR": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def conformance(tmp_path: Path, port: int, *arguments: str) -> tuple[str, list[dict[str, Any]]]:
    """What the suite says, and every check that it made. Fails when the suite finds something unexpected."""
    url = f"http://127.0.0.1:{port}/mcp"
    run = node(tmp_path, "conformance", "server", "--url", url, "-o", str(tmp_path / "results"), *arguments)
    checks = [
        {**check, "scenario": path.parent.name}
        for path in sorted((tmp_path / "results").glob("*/checks.json"))
        for check in json.loads(path.read_text())
    ]
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]
    assert checks, run.stdout
    return run.stdout, checks


def test_everything_that_the_newer_revision_requires(tmp_path: Path, port: int) -> None:
    _, checks = conformance(tmp_path, port, "--requirements", "2026-07-28", "--expected-failures", str(BASELINE))
    required = yaml.safe_load(REQUIREMENTS.read_text())
    not_scored = {item["scenario"] for item in required["not_scored"]}
    for check in checks:
        scenario = re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*$", "", check["scenario"])
        if check["status"] == "FAILURE" and scenario not in not_scored:
            assert FIXTURE_ONLY.search(check["errorMessage"]), check
    assert sum(check["status"] == "SUCCESS" for check in checks) > 90


@pytest.mark.parametrize(
    "scenario", ["sep-2640-skills-enumeration", "sep-2640-skills-manifest", "http-header-validation"]
)
def test_scenarios_that_no_revision_requires(tmp_path: Path, port: int, scenario: str) -> None:
    _, checks = conformance(tmp_path, port, "--scenario", scenario)
    assert {check["status"] for check in checks} <= {"SUCCESS", "INFO"}, checks
    assert len(checks) >= 6


@pytest.mark.parametrize(
    "scenario",
    [
        "server-initialize",
        "server-session-lifecycle",
        "ping",
        "tools-list",
        "resources-list",
        "prompts-list",
        "completion-complete",
        "dns-rebinding-protection",
    ],
)
def test_scenarios_of_the_older_revision(tmp_path: Path, port: int, scenario: str) -> None:
    _, checks = conformance(tmp_path, port, "--spec-version", "2025-11-25", "--scenario", scenario)
    assert {check["status"] for check in checks} <= {"SUCCESS", "INFO", "SKIPPED"}, checks


RUN = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("find_playbook", {"task": "flaky tests"}),
    ("search_playbooks", {"q": "flaky tests"}),
    ("get_playbook", {"slug": BOOK}),
    ("list_tasks", {"limit": 1}),
    ("list_agents", {}),
    ("list_lessons", {}),
    ("report_run", RUN),
    ("submit", {"title": "A job", "body": "What I want."}),
]


def inspect(tmp_path: Path, target: list[str], era: str, method: str, *arguments: str) -> Any:
    """What the inspector is answered."""
    told = ["mcp-inspector", "--cli", *target, "--protocol-era", era, "--format", "json", "-q", "--method", method]
    run = node(tmp_path, *told, "--connect-timeout", "120000", *arguments)  # a busy machine starts a process slowly
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    return [json.loads(line) for line in run.stdout.splitlines()]


REACHED = pytest.mark.parametrize(
    ("target", "era"),
    many([("http", "modern"), ("stdio", "legacy")], list(product(["http", "stdio"], ["modern", "legacy"]))),
    indirect=["target"],
)
"""How the inspector reaches the server, and in which era: the short form takes each once."""


@pytest.fixture(params=["http", "stdio"])
def target(request: pytest.FixtureRequest, port: int, tmp_path: Path, site: tuple[Path, Path]) -> list[str]:
    """How the inspector reaches the server."""
    if request.param == "http":
        return [f"http://127.0.0.1:{port}/mcp", "--transport", "http"]
    start = tmp_path / "start"
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "cli",
        "mcp",
        "--out",
        str(site[1]),
        "--var",
        str(tmp_path / "var"),
    ]
    start.write_text(f'#!/bin/sh\ncd "{PROJECT}" && exec {" ".join(command)}\n')
    start.chmod(0o755)
    return [str(start)]


@REACHED
def test_the_inspector_calls_every_tool(tmp_path: Path, target: list[str], era: str) -> None:
    listed = inspect(tmp_path, target, era, "tools/list", "--strict")[0]["result"]["tools"]
    assert [tool["name"] for tool in listed] == [tool.name for tool in TOOLS]
    shortened = "--transport" not in target and not LONG  # two processes for each call there
    calls = [call for call in CALLS if call[0] in ("find_playbook", "submit") or not shortened]
    for name, sent in calls:
        told = ["--tool-name", name, "--tool-args-json", json.dumps(sent)]
        result = inspect(tmp_path, target, era, "tools/call", *told)[0]["result"]
        assert not result.get("isError"), result
        assert result["structuredContent"]
        if name == "submit":
            its = {name: result["structuredContent"][name] for name in ("id", "edit_token")}
            calls += [("submission_status", {"id": its["id"]}), ("withdraw", its)]
    assert shortened or {name for name, _ in calls} == {tool.name for tool in TOOLS}


@REACHED
def test_the_inspector_reads_what_is_offered(tmp_path: Path, target: list[str], era: str) -> None:
    resources = inspect(tmp_path, target, era, "resources/list")[0]["result"]["resources"]
    read = inspect(tmp_path, target, era, "resources/read", "--uri", resources[0]["uri"])[0]["result"]
    assert read["contents"][0]["text"].startswith("# Fix flaky tests")
    told = ["--prompt-name", "use_playbook", "--prompt-args", f"slug={BOOK}", "repository=here"]
    prompt = inspect(tmp_path, target, era, "prompts/get", *told)[0]["result"]
    assert "flaky" in prompt["messages"][0]["content"]["text"]


def test_the_inspector_verifies_every_skill(tmp_path: Path, target: list[str]) -> None:
    skills = inspect(tmp_path, target, "modern", "skills/list", "--verify", "--require-digests")
    assert [skill["name"] for skill in skills] == [BOOK, "older", "write-tests"]
    assert {skill["outcome"] for skill in skills} == {"verified"}
