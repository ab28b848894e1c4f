"""Clients that generators make of the description, in Python and (two) in TypeScript: typed, and they work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from build.views.routes import API
from tests import calls
from tests.builders import BOOK
from tests.faults.http_server import Served, playbooks_serve
from tests.rich import write_rich_content

NODE = Path(__file__).resolve().parents[1] / "node/node_modules/.bin"
pytestmark = [pytest.mark.slow, pytest.mark.system]
TOLD = [4, BOOK, BOOK, "pending", "unknown-playbook", [True, True]]
"""How many playbooks there are, one of them, what a report by its title was read as, where it stands, a refusal; and
whether the first report of the record leads to itself and to its playbook."""

IN_PYTHON = """\
import json
import sys

from library_client import AuthenticatedClient, Client
from library_client.api.contributors import create_contributor
from library_client.api.playbooks import get_playbook, list_playbooks
from library_client.api.runs import get_run, list_runs, report_run
from library_client.models import (
    ContributorReceipt, NewContributor, Outcome,
    PlaybookAnswer, PlaybookList, ProblemDetails, RunList, RunReceipt, RunReport, RunStatus,
)

client = Client(base_url=sys.argv[1])
books = list_playbooks.sync(client=client)
assert isinstance(books, PlaybookList)
book = get_playbook.sync(books.items[0].slug, client=client)
assert isinstance(book, PlaybookAnswer)
made = create_contributor.sync(client=client, body=NewContributor(handle="grace-h"))
assert isinstance(made, ContributorReceipt)
keyed = AuthenticatedClient(base_url=sys.argv[1], token=made.api_key)
sent = RunReport(playbook=book.title, agent="claude-code", outcome=Outcome.WORKED)
receipt = report_run.sync(client=keyed, body=sent)
assert isinstance(receipt, RunReceipt) and receipt.read_as
run = get_run.sync(receipt.id, client=client)
assert isinstance(run, RunStatus)
sent.playbook = "wholly unlike anything"
wrong = report_run.sync(client=keyed, body=sent)
assert isinstance(wrong, ProblemDetails) and wrong.errors
told = list_runs.sync(client=client)
assert isinstance(told, RunList)
first = told.items[0]
leads = [first.links.self_.endswith("/runs/" + first.id), first.links.playbook.endswith("/playbooks/" + first.playbook)]
print(json.dumps([books.total, book.slug, receipt.read_as.playbook, run.status, wrong.errors[0].code, leads]))
"""
IN_TYPESCRIPT = """\
import { Api, Outcome } from "./client.js";

declare const process: { argv: string[] };

const api = new Api({ baseUrl: process.argv[2] });
const { data: books } = await api.playbooks.listPlaybooks();
const { data: book } = await api.playbooks.getPlaybook(books.items[0].slug);
const sent = { playbook: book.title, agent: "claude-code", outcome: Outcome.Worked };
const { data: receipt } = await api.runs.reportRun(sent);
const { data: run } = await api.runs.getRun(receipt.id);
const wrong = await api.runs.reportRun({ ...sent, playbook: "wholly unlike anything" }).catch((answer) => answer);
const code = wrong.error.errors[0].code;
const [{ id, playbook, links }] = (await api.runs.listRuns()).data.items;
const leads = [links.self.endsWith(`/runs/${id}`), links.playbook.endsWith(`/playbooks/${playbook}`)];
console.log(JSON.stringify([books.total, book.slug, receipt.read_as?.playbook, run.status, code, leads]));
"""
BY_OPERATIONS = """\
import { getPlaybook, getRun, listPlaybooks, listRuns, reportRun, Outcome } from "./client.js";

const books = await listPlaybooks();
if (books.status !== 200) throw books;
const book = await getPlaybook(books.data.items[0].slug);
if (book.status !== 200) throw book;
const sent = { playbook: book.data.title, agent: "claude-code", outcome: Outcome.worked };
const receipt = await reportRun(sent);
if (receipt.status !== 201) throw receipt;
const run = await getRun(receipt.data.id);
if (run.status !== 200) throw run;
const wrong = await reportRun({ ...sent, playbook: "wholly unlike anything" });
if (wrong.status !== 422) throw wrong;
const code = wrong.data.errors?.[0].code;
const runs = await listRuns();
if (runs.status !== 200) throw runs;
const [{ id, playbook, links }] = runs.data.items;
const leads = [links.self.endsWith(`/runs/${id}`), links.playbook.endsWith(`/playbooks/${playbook}`)];
const told = [books.data.total, book.data.slug, receipt.data.read_as?.playbook, run.data.status, code, leads];
console.log(JSON.stringify(told));
"""
TSC = "--strict --target es2022 --module nodenext --moduleResolution nodenext --lib es2022,dom,dom.iterable --outDir js"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("generated")
    with playbooks_serve(write_rich_content(folder), folder) as made:
        yield made


@pytest.fixture
def base(served: Served, tmp_path: Path) -> str:
    """The address of the interface, whose description lies in the test's folder."""
    address = "http://{}:{}".format(*served.address) + API
    (tmp_path / "openapi.json").write_bytes(calls.get(f"{address}/openapi.json").raise_for_status().content)
    return address


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = f"{NODE}:{os.environ['PATH']}"
    told = {**os.environ, "PATH": path, "MYPY_CACHE_DIR": str(folder / "cache")}
    return subprocess.run(command, cwd=folder, env=told, check=False, capture_output=True, text=True, timeout=300)


def well(folder: Path, *command: str) -> str:
    """What a command prints that must succeed."""
    done = run(folder, *command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_client_in_python_is_generated_typed_and_works(base: str, tmp_path: Path) -> None:
    names = {"project_name_override": "library-client", "package_name_override": "library_client", "post_hooks": []}
    (tmp_path / "generator.yaml").write_text(json.dumps(names))
    made = ("--meta", "none", "--output-path", "library_client", "--config", "generator.yaml", "--fail-on-warning")
    well(tmp_path, sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", *made)
    (tmp_path / "use.py").write_text(IN_PYTHON)
    well(tmp_path, sys.executable, "-m", "mypy", "--config-file", "", "--strict", "use.py")
    assert json.loads(well(tmp_path, sys.executable, "use.py", base)) == TOLD
    (tmp_path / "wrong.py").write_text(IN_PYTHON.replace("Outcome.WORKED", "'it worked'"))
    assert run(tmp_path, sys.executable, "-m", "mypy", "--config-file", "", "wrong.py").returncode == 1


@pytest.mark.skipif(not (NODE / "swagger-typescript-api").exists(), reason="needs tests/node (tests/install-system.sh)")
def test_a_client_in_typescript_is_generated_typed_and_works(base: str, tmp_path: Path) -> None:
    well(tmp_path, str(NODE / "swagger-typescript-api"), "generate", "-p", "openapi.json", "-o", ".", "-n", "client.ts")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "use.ts").write_text(IN_TYPESCRIPT)
    well(tmp_path, str(NODE / "tsc"), *TSC.split(), "use.ts")
    assert json.loads(well(tmp_path, "node", "js/use.js", base)) == TOLD
    (tmp_path / "wrong.ts").write_text(IN_TYPESCRIPT.replace("Outcome.Worked", '"it worked"'))
    assert run(tmp_path, str(NODE / "tsc"), *TSC.split(), "--noEmit", "wrong.ts").returncode != 0


@pytest.mark.skipif(not (NODE / "orval").exists(), reason="needs tests/node (tests/install-system.sh)")
def test_a_function_for_each_operation_is_generated_typed_and_works(base: str, tmp_path: Path) -> None:
    output = {"target": "./client.ts", "client": "fetch", "baseUrl": base}
    made = {"library": {"input": "./openapi.json", "output": output}}
    (tmp_path / "orval.config.mjs").write_text(f"export default {json.dumps(made)};")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    well(tmp_path, str(NODE / "orval"), "--config", "orval.config.mjs")
    (tmp_path / "use.ts").write_text(BY_OPERATIONS)
    well(tmp_path, str(NODE / "tsc"), *TSC.split(), "use.ts")
    assert json.loads(well(tmp_path, "node", "js/use.js")) == TOLD
    (tmp_path / "wrong.ts").write_text(BY_OPERATIONS.replace("Outcome.worked", '"it worked"'))
    assert run(tmp_path, str(NODE / "tsc"), *TSC.split(), "--noEmit", "wrong.ts").returncode != 0
