"""Every example of `docs/api.md`, run against a real server: what is documented is what is answered."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from library.interface.errors import KINDS
from library.interface.intake import NewContributor, RunReport, Submission
from tests.contract.fields import TABLES, breaches
from tests.forks import CLI, Forked
from tests.front import deployed
from tests.service import fronts
from writeapi.limits import named_limits
from writeapi.settings import CONTRIBUTOR_LIMITS, WRITE_LIMITS
from writeapi.store import Store

PROJECT = Path(__file__).resolve().parents[2]
TEXT = (PROJECT / "docs/api.md").read_text(encoding="utf-8")
HERE = "https://playbooks.example"
"""The address that the examples name; a real one takes its place when they are run."""

RUNNERS = {
    "bash": ("curl", ["bash", "-euo", "pipefail", "-c"]),
    "js": ("node", ["node", "--input-type=module", "-e"]),
    "python": ("python", [sys.executable, "-W", "error", "-c"]),
}
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_STATUSES = re.compile(r"(?:#|//) (\d{3}(?:, \d{3})*)\n")
_ANSWERED = re.compile(r"^(?:status )?(\d{3})(?: |$)", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """One block of code, what was defined before it, and the statuses that its first line promises."""

    code: str
    before: str
    statuses: list[str]


def blocks(language: str) -> list[str]:
    return [code for name, code in _BLOCK.findall(TEXT) if name == language]


def examples(language: str) -> Iterator[Example]:
    """The blocks in their order, each with the functions that the document defined before it."""
    before = ""
    for code in blocks(language):
        promised = _STATUSES.match(code)
        if promised:
            yield Example(code, before, promised[1].split(", "))
        else:
            before += code


DATABASES: dict[Path, str] = {}
"""Where the queue is of a service that stands behind nginx, by the folder in which another has it."""


@contextmanager
def serving(folder: Path, var: Path) -> Iterator[str]:
    """`playbooks serve` over the real content, with a queue of its own; the address."""
    if fronts:
        with deployed(PROJECT / "content", folder, release=True, today=datetime.now(UTC).date()) as stack:
            DATABASES[var] = stack.database_url
            yield stack.nginx.url
        return
    command = ["serve", "--no-work", "--port", "0", "--release", "--content", PROJECT / "content"]
    process = Forked(CLI, [*command, "--out", folder / "out", "--var", var], surroundings())
    try:
        said = ""
        for line in process.stdout:
            said += line
            if found := re.search(r"serving (http://127\.0\.0\.1:\d+)/", line):
                yield found[1]
                return
        raise AssertionError(said + process.communicate()[1])
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def surroundings() -> dict[str, str]:
    """The environment without the settings of whoever runs the tests."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PLAYBOOKS_", "WEB_CONC"))}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("api-doc")


@pytest.mark.slow
@pytest.mark.parametrize("language", RUNNERS)
def test_every_example_answers_what_it_promises(language: str, out: Path, tmp_path: Path) -> None:
    needed, command = RUNNERS[language]
    if needed != "python" and not shutil.which(needed):
        pytest.skip(f"there is no {needed}: the {language} examples of docs/api.md were not run")
    (tmp_path / ".curlrc").write_text('silent\nwrite-out = "\\nstatus %{http_code}\\n"\n')
    given: dict[str, str] = {"CURL_HOME": str(tmp_path)}
    answered = []
    with serving(out, tmp_path / "var") as address:
        for example in examples(language):
            if operation(example.code).startswith("PUT"):
                ask_for_changes(tmp_path / "var", given["SUBMISSION"])
            code = (example.before + example.code).replace(HERE, address)
            run = subprocess.run(
                [*command, code],
                check=False,
                capture_output=True,
                text=True,
                timeout=60,
                env={**surroundings(), **given},
                cwd=tmp_path,
            )
            learn(run.stdout, given)
            answered.append((example.code, _ANSWERED.findall(run.stdout), example.statuses, run.stdout + run.stderr))
    wrong = [item for item in answered if item[1] != item[2]]
    assert not wrong
    assert len(answered) >= 20


def ask_for_changes(var: Path, submission: str) -> None:
    """What the review agent and an editor do between two examples."""
    store = Store(DATABASES.get(var, f"sqlite:///{var / 'queue.db'}"), clock=lambda: datetime.now(UTC))
    store.move(submission, "screened", by="review-agent")
    store.move(submission, "changes_requested", by="editor", reasons=["unclear"], note="Which version?")
    store.close()


def learn(output: str, given: dict[str, str]) -> None:
    """What a reader would keep of an answer: the newest key, the oldest one's prefix, and what was sent first."""
    if key := re.search(r'"api_key": ?"(pbl_\w+)"', output):
        given["PLAYBOOKS_KEY"] = key[1]
        given.setdefault("KEY_PREFIX", key[1][:12])
    if receipt := re.search(r'"id": ?"(run_\w+)".*"edit_token": ?"(edt_\w+)"', output):
        given.setdefault("RUN", receipt[1])
        given.setdefault("RUN_TOKEN", receipt[2])
    if receipt := re.search(r'"id": ?"(sub_\w+)".*"edit_token": ?"(edt_\w+)"', output):
        given.setdefault("SUBMISSION", receipt[1])
        given.setdefault("EDIT_TOKEN", receipt[2])


def operation(code: str) -> str:
    """What an example asks, as `METHOD /path`; `{…}` is what it takes from the environment."""
    if call := re.search(r"call\(\s*\"([A-Z]+)\",\s*f?[\"`](.*?)[\"`]\s*[,)]", code):
        method, path = call[1], call[2]
    else:
        curl = re.search(rf"curl (?:-X ([A-Z]+) )?\"{HERE}/api/v1([^\"]*)\"", code)
        assert curl, code
        method, path = curl[1] or "GET", curl[2]
    return f"{method} " + re.sub(r"\$?\{[^}]*\}|\$\w+", "{…}", path)


def test_every_operation_is_shown_in_every_language() -> None:
    curl, js, python = ({operation(example.code) for example in examples(language)} for language in RUNNERS)
    assert js == python
    assert js <= curl
    asked = {operation.partition("?")[0] for operation in js}
    assert {path for path in asked if path.startswith("GET")} >= set(documented("GET"))
    assert {path for path in asked if not path.startswith("GET")} == set(documented("POST", "PUT", "DELETE"))


def documented(*methods: str) -> Iterator[str]:
    """The operations in the tables of paths of `docs/interface.md`, with the slugs that the examples take."""
    slugs = {"playbooks": "fix-flaky-tests", "agents": "claude-code", "by-playbook": "fix-flaky-tests"}
    slugs |= {"compare": "fix-flaky-tests", "tasks": "fix-flaky-tests", "categories": "software"}
    slugs |= {
        "by-agent": "claude-code",
        "by-category": "software",
        "by-task": "fix-flaky-tests",
        "by-trust": "reported",
    }
    slugs |= {"versions": "000000000000", "changes": "2020-01-01"}
    slugs["lessons"] = "stress-run-is-green-without-the-fix-too"
    text = (PROJECT / "docs/interface.md").read_text(encoding="utf-8")
    for method, named in re.findall(r"^\| (GET|POST|PUT|DELETE) \| `(/[^`]*)` \|", text, re.MULTILINE):
        path = named.replace("{year}/{month}", "2020/01").replace("{number}", "2")
        if method in methods:
            yield f"{method} " + re.sub(
                r"/([\w-]+)/\{(\w+)\}", lambda found: f"/{found[1]}/{slugs.get(found[1], '{…}')}", path
            )


def test_every_json_block_has_the_shape_of_a_table() -> None:
    for block in blocks("json"):
        value = json.loads(block.replace("…", "x"))
        tables = [name for name, fields in TABLES.items() if value.keys() <= {field.name for field in fields}]
        assert [name for name in tables if not list(breaches(value, name))], block


def test_every_kind_of_error_stands_in_the_table() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d{3}) \| (.+) \|$", TEXT, re.MULTILINE)
    assert rows == [(kind.slug, str(kind.status), kind.advice) for kind in KINDS]


def test_the_figures_are_those_of_the_code() -> None:
    assert (WRITE_LIMITS, CONTRIBUTOR_LIMITS) == ("60 per minute; 1000 per day", "5 per hour")
    assert list(named_limits(CONTRIBUTOR_LIMITS, "create-")) == ["create-hour"]
    interface = (PROJECT / "docs/interface.md").read_text(encoding="utf-8")
    for model, heading in ((RunReport, "Run report"), (NewContributor, "Contributor"), (Submission, "Submission")):
        section = interface.partition(f"### {heading} (sent)\n")[2].partition("\n### ")[0]
        named = re.findall(r"^\| ([a-z_]+) \|", section, re.MULTILINE)
        assert sorted(named) == sorted(model.model_fields)
        needed = re.findall(r"^\| ([a-z_]+) \|[^|]+\| yes \|", section, re.MULTILINE)
        assert sorted(needed) == sorted(name for name, info in model.model_fields.items() if info.is_required())
