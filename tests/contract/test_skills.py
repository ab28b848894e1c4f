"""Real clients take our skills: the reference validator; and `skills`, which refuses what was changed."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import orjson
import pytest
from skills_ref import validate

from tests.builders import BOOK
from tests.front import deployed
from tests.rich import write_rich_content
from tests.server.test_serve import start
from tests.service import fronts
from tests.trees import built

PROJECT = Path(__file__).resolve().parents[2]
TOOLS = PROJECT / "tests/node/node_modules/.bin"
INDEX = ".well-known/agent-skills/index.json"
OFFERED = {BOOK, "older", "write-tests"}

with_client = [
    pytest.mark.system,
    pytest.mark.slow,
    pytest.mark.skipif(not (TOOLS / "skills").exists(), reason="the npm tools are not installed (make system)"),
]


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("real")
    built(PROJECT / "content", folder / "site", datetime.now(UTC).date())
    return folder / "site"


@pytest.mark.slow
def test_every_real_skill_is_valid_and_short_enough_to_be_loaded(real: Path) -> None:
    folders = sorted((real / "skills").iterdir())
    assert len(folders) >= 40
    for folder in folders:
        assert validate(folder) == [], folder.name
        lines = (folder / "SKILL.md").read_text(encoding="utf-8").count("\n")
        assert lines < 500, f"{folder.name}: the rules recommend under 500 lines"


@pytest.mark.slow
def test_the_command_of_the_reference_agrees(real: Path) -> None:
    command = [str(Path(sys.executable).with_name("agentskills")), "validate", str(real / "skills" / BOOK)]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stdout + run.stderr
    broken = real.parent / "Wrong-Name"
    broken.mkdir()
    (broken / "SKILL.md").write_bytes((real / "skills" / BOOK / "SKILL.md").read_bytes())
    command[-1] = str(broken)
    assert subprocess.run(command, check=False, capture_output=True, timeout=60).returncode == 1


class Quiet(SimpleHTTPRequestHandler):
    """A plain static host that keeps no log."""

    def log_message(self, *_arguments: object) -> None: ...


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The rich library on a plain static host of its own: the address, and the folder that it serves."""
    site = tmp_path / "site"
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        address = f"http://127.0.0.1:{server.server_port}"
        built(write_rich_content(tmp_path), site, site_url=address)
        Thread(target=server.serve_forever, daemon=True).start()
        yield address, site
        server.shutdown()


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`playbooks serve` over the rich library."""
    folder = tmp_path_factory.mktemp("skills")
    if fronts:
        with deployed(write_rich_content(folder), folder) as stack:
            yield stack.nginx.url
        return
    process, address = start(write_rich_content(folder), folder / "out")
    yield address
    process.terminate()
    process.communicate(timeout=60)


def skills(folder: Path, *arguments: str) -> tuple[int, str]:
    """What the client `skills` says in a project folder and a home of its own."""
    project, home = folder / "project", folder / "home"
    project.mkdir(exist_ok=True)
    home.mkdir(exist_ok=True)
    surroundings: Mapping[str, str] = {
        "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "DISABLE_TELEMETRY": "1",
        "DO_NOT_TRACK": "1",
        "NO_COLOR": "1",
    }
    run = subprocess.run(
        [str(TOOLS / "skills"), *arguments],
        cwd=project,
        env=surroundings,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    return run.returncode, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", run.stdout + run.stderr)


def installed(folder: Path) -> dict[str, str]:
    """The digest of each installed SKILL.md by its path."""
    return {
        str(path.relative_to(folder / "project")): f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in (folder / "project").rglob("SKILL.md")
    }


def entries(site: Path, name: str = INDEX) -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in orjson.loads((site / name).read_bytes())["skills"]}


class TestWithTheClient:
    pytestmark = with_client

    def test_it_lists_all_that_is_offered(self, serving: str, tmp_path: Path) -> None:
        code, said = skills(tmp_path, "add", serving, "--list")
        assert code == 0, said
        named = set(re.findall(r"^│ {4}([a-z0-9-]+)$", said, re.MULTILINE))
        assert named == OFFERED, said
        assert "Find the cause of a flaky test, remove it. For the job: Fix flaky tests." in said
        assert installed(tmp_path) == {}

    @pytest.mark.parametrize("way", ["chosen among all", "alone"])
    def test_it_installs_the_file_that_the_index_promises(self, serving: str, tmp_path: Path, way: str) -> None:
        where = [f"{serving}/s/{BOOK}"] if way == "alone" else [serving, "--skill", BOOK]
        code, said = skills(tmp_path, "add", *where, "--agent", "claude-code", "codex", "--yes", "--copy")
        assert code == 0, said
        served = tmp_path / "served"
        subprocess.run(["curl", "-sf", "-o", served, f"{serving}/skills/{BOOK}/SKILL.md"], check=True, timeout=60)
        wanted = f"sha256:{hashlib.sha256(served.read_bytes()).hexdigest()}"
        found = installed(tmp_path)
        assert found == {f"{place}/skills/{BOOK}/SKILL.md": wanted for place in (".claude", ".agents")}
        for place in (".claude", ".agents"):
            beside = {path.name for path in (tmp_path / f"project/{place}/skills/{BOOK}/references").iterdir()}
            assert beside == {"steps.md", "failures.md", "prompts.md", "evidence.md", "why.md"}

    def test_a_static_host_will_do(self, hosted: tuple[str, Path], tmp_path: Path) -> None:
        address, site = hosted
        code, said = skills(tmp_path, "add", address, "--skill", "write-tests", "--agent", "codex", "--yes")
        assert code == 0, said
        wanted = hashlib.sha256((site / "skills/write-tests/SKILL.md").read_bytes()).hexdigest()
        assert installed(tmp_path) == {".agents/skills/write-tests/SKILL.md": f"sha256:{wanted}"}
        assert entries(site)["write-tests"]["version"]

    def test_it_refuses_a_file_that_was_changed_after_the_index(self, hosted: tuple[str, Path], tmp_path: Path) -> None:
        address, site = hosted
        path = site / f"s/{BOOK}/skill.zip"
        path.write_bytes(path.read_bytes().replace(b"Ask the user", b"Don't ask   "))
        code, said = skills(tmp_path, "add", f"{address}/s/{BOOK}", "--agent", "codex", "--yes")
        assert code != 0, said
        code, said = skills(tmp_path, "add", address, "--skill", BOOK, "--agent", "codex", "--yes")
        assert code != 0, said
        assert installed(tmp_path) == {}
        code, said = skills(tmp_path, "add", address, "--list")
        assert code == 0
        assert BOOK not in set(re.findall(r"^│ {4}([a-z0-9-]+)$", said, re.MULTILINE))

    def test_it_finds_no_way_round_when_every_file_was_changed(self, hosted: tuple[str, Path], tmp_path: Path) -> None:
        address, site = hosted
        for path in site.glob("s/*/skill.zip"):
            path.write_bytes(path.read_bytes() + b"!")
        code, said = skills(tmp_path, "add", address, "--all")
        assert code != 0, said
        assert installed(tmp_path) == {}
        assert not list((tmp_path / "home").rglob("SKILL.md"))

    def test_a_withdrawn_or_unknown_skill_is_not_to_be_had(self, serving: str, tmp_path: Path) -> None:
        for slug in ("gone", "nothing"):
            code, said = skills(tmp_path, "add", f"{serving}/s/{slug}", "--agent", "codex", "--yes")
            assert code != 0, said
        assert installed(tmp_path) == {}

    def test_a_former_slug_leads_to_the_skill(self, serving: str, tmp_path: Path) -> None:
        code, said = skills(tmp_path, "add", f"{serving}/s/old-flaky", "--agent", "codex", "--yes")
        assert code == 0, said
        assert list(installed(tmp_path)) == [f".agents/skills/{BOOK}/SKILL.md"]
