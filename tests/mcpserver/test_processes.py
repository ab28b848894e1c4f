"""`playbooks mcp` as a process of its own: on stdio, over HTTP, over another server, and beside the site."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner
from mcp.client.client import Client
from mcp.client.session import ElicitationFnT
from mcp.client.stdio import StdioServerParameters, stdio_client

import cli
from tests import calls
from tests.builders import BOOK
from tests.forks import CLI, Forked
from tests.writeapi.store.builders import rows, sqlite_url

from .conftest import ERAS, served
from .test_http import RUN, call, post

pytestmark = pytest.mark.slow
PROJECT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-W", "ignore", "-m", "cli", "mcp"]


def on_stdio(
    arguments: list[str],
    question: Callable[[Client], Awaitable[Any]],
    era: str = "auto",
    asks: ElicitationFnT | None = None,
    **environment: str,
) -> Any:
    """What a server on stdio answers to a question; `asks` is how the client asks its user, where it can."""
    command, *told = [*COMMAND, *arguments]
    parameters = StdioServerParameters(command=command, args=told, env={**os.environ, **environment}, cwd=PROJECT)

    async def run() -> Any:
        with Path(os.devnull).open("w") as quiet:
            transport = stdio_client(parameters, errlog=quiet)
            async with Client(transport, mode=era, elicitation_callback=asks) as client:
                return await question(client)

    return anyio.run(run)


@contextmanager
def over_http(*arguments: str, **environment: str) -> Iterator[int]:
    """`playbooks mcp --http` on a free port; it ends by itself when told."""
    process = Forked(CLI, ["mcp", "--http", "--port", "0", *arguments], {**os.environ, **environment})
    try:
        found = re.search(r"serving http://127\.0\.0\.1:(\d+)/mcp", process.stdout.readline())
        assert found, process.communicate()
        yield int(found[1])
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert process.returncode in (0, -signal.SIGTERM)
    assert "Traceback" not in errors


@pytest.mark.parametrize("era", ERAS)
def test_stdio_reads_and_writes_what_is_here(tmp_path: Path, site: tuple[Path, Path], era: str) -> None:
    async def session(client: Client) -> tuple[Any, Any, Any]:
        found = await client.call_tool("search_playbooks", {"q": "flaky"})
        book = await client.call_tool("get_playbook", {"slug": BOOK})
        return found, book, await client.call_tool("report_run", dict(RUN))

    found, book, run = on_stdio(["--out", str(site[1]), "--var", str(tmp_path)], session, era)
    assert found.structured_content["items"][0]["slug"] == BOOK
    assert book.structured_content["slug"] == BOOK
    assert run.structured_content["status"] == "pending"
    waiting = rows(
        sqlite_url(tmp_path / "queue.db"),
        "SELECT playbook, count(*) FROM runs WHERE state = 'pending' GROUP BY playbook",
    )
    assert waiting == [(BOOK, 1)]


def test_stdio_over_another_server_sends_the_key(tmp_path: Path, site: tuple[Path, Path]) -> None:
    with served(tmp_path, site) as (port, service):
        there = f"http://127.0.0.1:{port}"
        key = calls.post(f"{there}/api/v1/contributors", json={"handle": "ann"}).json()["api_key"]

        async def session(client: Client) -> tuple[Any, Any]:
            found = await client.call_tool("search_playbooks", {"q": "flaky"})
            return found, await client.call_tool("report_run", dict(RUN))

        found, run = on_stdio(["--base-url", there], session, PLAYBOOKS_KEY=key)
        assert found.structured_content["items"][0]["slug"] == BOOK
        kept = service.services.store.run(run.structured_content["id"])
        assert kept
        assert kept.reporter == "ann"


def test_rubbish_on_stdio_is_no_end(site: tuple[Path, Path]) -> None:
    lines = ["", "{", "[]", "null", '"x"', '{"jsonrpc":"2.0"}', "\x00", "[" * 5_000]
    asked = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": _hello()})
    process = subprocess.run(
        [*COMMAND, "--out", str(site[1])],
        cwd=PROJECT,
        input="\n".join([*lines, asked, ""]),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    assert answers[-1]["id"] == 7
    assert answers[-1]["result"]["serverInfo"]["name"] == "playbook-library"
    assert process.returncode == 0


def a_stdio_server(out: Path) -> subprocess.Popen[str]:
    """A server that reads from us."""
    return subprocess.Popen(
        [*COMMAND, "--out", str(out)],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stdio_ends_when_told(site: tuple[Path, Path], number: signal.Signals) -> None:
    process = a_stdio_server(site[1])
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": _hello()}) + "\n")
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(number)
    assert process.wait(60) == -number
    _, errors = process.communicate()
    assert errors == ""


@pytest.mark.parametrize("reads", [True, False], ids=["one by one", "all at once"])
def test_stdio_ends_quietly_when_nobody_reads(site: tuple[Path, Path], reads: bool) -> None:
    process = a_stdio_server(site[1])
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _hello()}) + "\n")
    process.stdin.flush()
    if reads:
        assert process.stdout.readline()
    process.stdout.close()
    with suppress(BrokenPipeError):
        for number in range(5):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 2 + number, "method": "tools/list"}) + "\n")
            process.stdin.flush()
    with suppress(BrokenPipeError):
        process.stdin.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


def _hello() -> dict[str, Any]:
    return {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a test", "version": "1"}}


def test_alone_over_http_callers_bring_their_own_keys(tmp_path: Path, site: tuple[Path, Path]) -> None:
    limits = {"PLAYBOOKS_WRITE_LIMITS": "1 per minute", "PLAYBOOKS_MCP_HOSTS": "inner.example, x.example"}
    # A key in the environment of a server is nobody's who calls it.
    with over_http("--out", str(site[1]), "--var", str(tmp_path), PLAYBOOKS_KEY="pbl_x", **limits) as port:
        told = [
            post(port, call("report_run", **RUN), source=source).json()["result"]["isError"]
            for source in ("127.0.0.1", "127.0.0.1", "127.0.0.2")
        ]
        assert told == [False, True, False]
        assert post(port, call("list_agents"), Host="x.example").status_code == 200
        assert calls.get(f"http://127.0.0.1:{port}/other").status_code == 404
        assert calls.get(f"http://127.0.0.1:{port}/mcp").status_code == 405


def test_beside_the_site_it_shares_port_and_queue(tmp_path: Path, site: tuple[Path, Path]) -> None:
    command = ["serve", "--port", "0", "--jobs", "1", "--content", site[0]]
    process = Forked(CLI, [*command, "--out", tmp_path / "out", "--var", tmp_path / "var"])
    try:
        found = next(match for line in process.stdout if (match := re.search(r"http://127\.0\.0\.1:(\d+)/mcp", line)))
        port = int(found[1])
        sent = post(port, call("submit", title="A job", body="What I want.")).json()["result"]["structuredContent"]
        status = calls.get(sent["status_url"]).json()
        assert status["status"] in ("queued", "screened")  # the work beside the server may have begun
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["--out", "/nowhere"], {}),
        (["--base-url", "ftp://x"], {}),
        (["--base-url", "https://u:p@library.example"], {}),
        (["--base-url", "https://library.example/?x"], {}),
        (["--base-url", "https://library.example:99999"], {}),
        (["--base-url", ""], {}),
        (["--base-url", "", "--out", "site"], {}),
        (["--base-url", "https://library.example", "--out", "site"], {}),
        (["--base-url", "https://library.example", "--var", "var"], {}),
        (["--base-url", "http://library.example"], {"PLAYBOOKS_KEY": "pbl_x"}),
        (["--base-url", "https://library.example"], {"PLAYBOOKS_KEY": "a\nb"}),
        (["--http", "--host", "999.1.1.1", "--base-url", "https://library.example"], {}),
    ],
)
def test_wrong_use_is_a_sentence(arguments: list[str], environment: dict[str, str]) -> None:
    result = CliRunner().invoke(cli.main, ["mcp", *arguments], env=environment)
    assert result.exit_code == 2
    assert "Error" in result.output
    assert "Traceback" not in result.output


def test_the_queues_folder_in_the_environment_is_no_word_against_another_server() -> None:
    environment = {**os.environ, "PLAYBOOKS_VAR": "somewhere"}
    refused = CliRunner().invoke(cli.main, ["mcp", "--base-url", "https://x.example/?q"], env=environment)
    assert "give one or the other" not in refused.output
    assert "is no plain http(s) address" in refused.output
    both = CliRunner().invoke(cli.main, ["mcp", "--base-url", "https://x.example", "--var", "here"], env=environment)
    assert "give one or the other" in both.output
