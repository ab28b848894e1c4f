"""Schemathesis makes requests from the OpenAPI description and holds the whole service, a real process, against it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from build.views.routes import API
from tests.faults.http_client import Address, post
from tests.faults.http_server import Served, playbooks_serve, rows
from tests.front import deployed
from tests.lengths import many
from tests.rich import write_rich_content
from tests.service import fronts

SEEDS = many((1,), (1, 2, 3))
EXAMPLES = many(15, 200)
SECONDS = many(600, 3_600)
DATABASES: dict[Address, str] = {}
"""Where the queue is of a service that stands behind nginx."""

CONFIGURATION = Path(__file__).with_name("schemathesis.toml")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("schemathesis")
    if fronts:
        with deployed(write_rich_content(folder), folder) as stack:
            DATABASES[stack.nginx.address] = stack.database_url
            yield Served(stack.nginx.address, stack.nginx.process, folder / "log")
        return
    with playbooks_serve(write_rich_content(folder), folder) as served:
        yield served


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("who", ["nobody", "a-contributor"])
def test_nothing_is_answered_that_is_not_described(served: Served, tmp_path: Path, seed: int, who: str) -> None:
    key = "" if who == "nobody" else a_key(served, f"{who}-{seed}")
    assert generated(served, tmp_path, seed, key) > 20 * EXAMPLES
    for table in ("runs", "submissions", "contributors"):
        assert count(served, f"SELECT count(*) FROM {table}") > (2 if table == "contributors" else 5), table


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_sender_goes_from_receipt_to_withdrawal(served: Served, tmp_path: Path, seed: int) -> None:
    """The same for one sender alone, whose key nothing revokes on the way: links lead from a receipt to its ends."""
    only = ["--include-path-regex", "^/submissions", "--phases", "stateful"]
    generated(served, tmp_path, seed, a_key(served, f"a-sender-{seed}"), *only)
    assert count(served, "SELECT count(*) FROM submissions WHERE state = 'withdrawn'") > 0


def generated(served: Served, folder: Path, seed: int, key: str, *options: str) -> int:
    """How many requests were made; not one of them may have an answer that is not described."""
    address = f"http://127.0.0.1:{served.address.port}{API}/openapi.json"
    command = [str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(CONFIGURATION), "run", address]
    command += ["--seed", str(seed), "--max-examples", str(EXAMPLES), "--continue-on-failure"]
    command += ["--generation-database", "none", "--no-color", *options]
    command += ["--header", f"Authorization: Bearer {key}"] if key else []
    found = subprocess.run(command, check=False, capture_output=True, text=True, timeout=SECONDS, cwd=folder)
    said = "\n".join(line[:400] for line in (found.stdout + found.stderr).splitlines())
    print(said)  # noqa: T201 - pytest shows it with a failure, and `make conformance` always
    assert found.returncode == 0, said
    counted = re.search(r"Test cases:\s+([\d,]+) generated", said)
    assert counted
    return int(counted[1].replace(",", ""))


def count(served: Served, statement: str) -> int:
    """A number out of the service's queue, asked past it."""
    url = DATABASES.get(served.address, f"sqlite:///{served.log.parent / 'var/queue.db'}")
    return int(rows(url, statement)[0][0])


def a_key(served: Served, handle: str) -> str:
    """The key of a new contributor."""
    answer = post(served.address, "/contributors", {"handle": handle})
    assert answer.status == 201, answer.body
    return str(answer.json["api_key"])
