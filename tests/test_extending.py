"""The recipes of docs/extending.md: each patch is applied to a copy of this repository, and does what it says."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from tests import calls
from tests.builders import BOOK, PLAYBOOK, TODAY, titled, write_content
from tests.waiting import PATIENCE

PROJECT = Path(__file__).resolve().parents[1]
RECIPES = dict(
    re.findall(
        r"^## (Add .+?)\n.*?^```diff\n(.*?)^```$",
        (PROJECT / "docs/extending.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
)
CHANGED = re.compile(r"^\+\+\+ b/(.*)$", re.MULTILINE)
"""The files of a patch."""
CODE = re.compile(r"(library|build|server|writeapi|mcpserver|client|cli)\b.*\.py")
"""A file of code: Python of the product."""
AUDIENCE = "Teams that own the tests & `<nobody>` else"
AUDIENCE_MEANS = "Who it is for, where it is not for everybody."
GONE = "status: withdrawn\nstatus_reason: It was unsafe.\n"
ADDRESS = re.compile(r"serving (http://127\.0\.0\.1:\d+)/")
pytestmark = pytest.mark.slow


def copied(folder: Path) -> Path:
    """What git knows of this repository, as it is now, as a repository of its own."""
    names = subprocess.check_output(["git", "ls-files", "-z"], cwd=PROJECT, text=True).split("\0")
    for name in names:
        if name and (PROJECT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((PROJECT / name).read_bytes())
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)  # else git would leave out what is no part of one
    return folder


def applied(copy: Path, patch: str, *options: str) -> None:
    """Put a patch into the copy; with `--check` only see whether it fits."""
    command = ["git", "apply", "--whitespace=error", *options, "-"]
    done = subprocess.run(command, cwd=copy, input=patch, text=True, check=False, capture_output=True)
    assert done.returncode == 0, f"docs/extending.md fits the code no more: {done.stderr}"


def playbooks(copy: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A command of the copy's own code, ended."""
    command = [sys.executable, "-m", "cli", *map(str, arguments)]
    return subprocess.run(command, cwd=copy, text=True, check=False, capture_output=True, timeout=PATIENCE)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy as it is."""
    return copied(tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with every recipe in it, in their order."""
    copy = copied(tmp_path_factory.mktemp("extended"))
    for patch in RECIPES.values():
        applied(copy, patch)
    return copy


@pytest.fixture(scope="module")
def served(extended: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """The copy's service over a small library, whose one playbook to follow has the new field."""
    folder = tmp_path_factory.mktemp("served")
    books = {
        f"playbooks/{BOOK}.yaml": f"{PLAYBOOK}audience: {AUDIENCE}\n",
        "playbooks/gone.yaml": f"{titled(PLAYBOOK, 'What is gone')}{GONE}",
    }
    content = write_content(folder, books)
    log = folder / "log"
    command = [sys.executable, "-W", "ignore", "-m", "cli", "serve", "--port", "0", "--today", f"{TODAY}"]
    command += ["--content", str(content), "--out", str(folder / "out"), "--var", str(folder / "var"), "--jobs", "1"]
    with (
        log.open("w") as said,
        subprocess.Popen(command, cwd=extended, stdout=subprocess.PIPE, stderr=said, text=True) as process,
    ):
        try:
            assert process.stdout
            address = next((at[1] for at in map(ADDRESS.search, process.stdout) if at), None)
            assert address, log.read_text()
            with calls.Client(base_url=address, timeout=PATIENCE) as client:
                yield client
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def asked(client: httpx.Client, path: str) -> str:
    """What an address answers, which has to be there."""
    return client.get(path).raise_for_status().text


def of_mcp(client: httpx.Client, method: str, **params: Any) -> dict[str, Any]:
    """What the MCP server of the site answers."""
    told = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer: dict[str, Any] = client.post("/mcp", json=body, headers=told).raise_for_status().json()
    return dict(answer["result"])


def test_there_are_five_recipes_and_each_goes_into_few_files_of_code() -> None:
    names = ["field", "endpoint", "rule", "rendition", "tool"]
    assert [name.rpartition(" ")[2] for name in RECIPES] == names
    for name, patch in RECIPES.items():
        code = [file for file in CHANGED.findall(patch) if CODE.fullmatch(file)]
        assert 1 <= len(code) <= 3, name
        text = (PROJECT / "docs/extending.md").read_text(encoding="utf-8")
        assert f"](#{name.lower().replace(' ', '-')}) | {len(code)} |" in text


@pytest.mark.parametrize("name", RECIPES)
def test_each_recipe_applies_alone(name: str, plain: Path) -> None:
    applied(plain, RECIPES[name], "--check")


def test_what_the_recipes_bring_with_them_is_what_the_project_asks_for(extended: Path) -> None:
    touched = sorted({file for patch in RECIPES.values() for file in CHANGED.findall(patch) if file.endswith(".py")})
    asked_for = ["tests/test_layers.py", "tests/library/test_limits.py", "tests/library/test_broken.py"]
    unbounded = "--deselect=tests/test_layers.py::test_the_product_stays_small"  # recipes that nothing makes room for
    for command in (
        ["ruff", "check", "--no-cache", *touched],
        ["ruff", "format", "--no-cache", "--check", *touched],
        ["pytest", "-q", "-p", "no:cacheprovider", unbounded, *asked_for],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=extended, text=True, check=False, capture_output=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_new_field_is_read_and_shown_everywhere(served: httpx.Client) -> None:
    page = asked(served, f"/playbooks/{BOOK}/")
    assert "<dt>For</dt><dd>Teams that own the tests &amp; `&lt;nobody&gt;` else</dd>" in page
    assert "\n- For: " in asked(served, f"/playbooks/{BOOK}.md")
    assert served.get(f"/api/v1/playbooks/{BOOK}").json()["audience"] == AUDIENCE
    assert "audience" not in served.get("/api/v1/playbooks/gone").json()
    assert "<dt>For</dt>" not in asked(served, "/playbooks/gone/")
    assert "playbook-audience" in asked(served, "/docs/fields/")
    schemas = served.get("/api/v1/openapi.json").json()["components"]["schemas"]
    assert schemas["PlaybookAnswer"]["properties"]["audience"] == {"type": "string", "description": AUDIENCE_MEANS}
    assert "audience" not in schemas["PlaybookAnswer"]["required"]


def test_the_new_field_is_in_the_schema_of_editors(extended: Path, tmp_path: Path) -> None:
    assert playbooks(extended, "schemas", tmp_path).returncode == 0
    schema = orjson.loads((tmp_path / "playbook.json").read_bytes())
    assert schema["properties"]["audience"]["maxLength"] == 200
    assert schema["properties"]["audience"]["description"] == "Who it is for, where it is not for everybody."
    assert "audience" not in schema["required"]


def test_the_new_list_is_served_and_described(served: httpx.Client) -> None:
    several = [item for item in served.get("/api/v1/tasks").json()["items"] if item["playbook_count"] > 1]
    assert served.get("/api/v1/choices").json() == {"total": len(several), "items": several}
    assert served.get("/api/v1/").json()["links"]["choices"].endswith("/api/v1/choices")
    described = served.get("/api/v1/openapi.json").json()
    assert described["paths"]["/choices"]["get"]["operationId"] == "listChoices"
    items = described["components"]["schemas"]["ChoiceList"]["properties"]["items"]
    assert items["items"] == {"$ref": "#/components/schemas/TaskAnswer"}
    assert "listChoices" in asked(served, "/docs/operations/")


def test_what_the_new_field_and_the_new_rule_find_has_a_place_and_a_mend(extended: Path, tmp_path: Path) -> None:
    same = PLAYBOOK.replace(
        "A test suite that gives the same answer twice.", "Find the cause of a flaky test, remove it."
    )
    content = write_content(tmp_path, {f"playbooks/{BOOK}.yaml": f'{same}audience: "two\\nlines"\n'})
    checked = playbooks(extended, "check", "--content", content, "--today", TODAY)
    assert checked.returncode == 1, checked.stderr
    found = [line for line in (checked.stdout + checked.stderr).splitlines() if f"{BOOK}.yaml:" in line]
    assert len(found) == 1, "what cannot be read is not judged by rules yet"
    assert re.search(rf"{BOOK}\.yaml:18:1: error: audience: .*one line", found[0])
    (content / f"playbooks/{BOOK}.yaml").write_text(same)
    checked = playbooks(extended, "check", "--content", content, "--today", TODAY)
    found = [line for line in (checked.stdout + checked.stderr).splitlines() if f"{BOOK}.yaml:" in line]
    place = f"playbooks/{BOOK}.yaml:6:1: error: outcome: "
    mend = "says the summary again; say what the reader ends up with [outcomes-say-something-new]"
    assert [line.rpartition("content/")[2] for line in found] == [place + mend]


def test_the_new_rule_is_among_the_rules(served: httpx.Client) -> None:
    page = asked(served, "/docs/checks/")
    assert "outcomes-say-something-new" in page
    assert "An outcome is not the summary again." in page


def test_the_new_rendition_is_written_and_linked(served: httpx.Client) -> None:
    answer = served.get(f"/playbooks/{BOOK}.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == served.get(f"/api/v1/playbooks/{BOOK}").json()["prompt"] + "\n"
    assert f'type="text/plain" title="The prompt" href="/playbooks/{BOOK}.txt"' in asked(served, f"/playbooks/{BOOK}/")
    assert served.get("/playbooks/gone.txt").status_code == 404
    assert "gone.txt" not in asked(served, "/playbooks/gone/")


def test_the_new_tool_is_listed_and_answers(served: httpx.Client) -> None:
    tools = {tool["name"]: tool for tool in of_mcp(served, "tools/list")["tools"]}
    assert tools["list_playbooks"]["outputSchema"]["required"] == ["total", "items", "next_cursor"]
    first = of_mcp(served, "tools/call", name="list_playbooks", arguments={"limit": 1})
    assert first["structuredContent"]["total"] == 2
    assert first["content"][0]["text"].startswith(f"1 of 2:\n- `{BOOK}` (")
    cursor = first["structuredContent"]["next_cursor"]
    second = of_mcp(served, "tools/call", name="list_playbooks", arguments={"cursor": cursor})["structuredContent"]
    assert ([item["slug"] for item in second["items"]], second["next_cursor"]) == (["gone"], None)
