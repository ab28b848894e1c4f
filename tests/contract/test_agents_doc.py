"""The page for agents: its configurations are what they say they are, and its requests are answered."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.front import deployed
from tests.rich import write_rich_content
from tests.server.test_serve import start
from tests.service import fronts

PROJECT = Path(__file__).resolve().parents[2]
TEXT = (PROJECT / "docs/agents.md").read_text(encoding="utf-8")
HERE = "https://library.example"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_configurations_are_whole_and_name_the_server() -> None:
    found = [json.loads(code) for language, code in BLOCKS if language == "json"]
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
