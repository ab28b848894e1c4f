"""The public record is complete: a stranger's script reads every report by links and works out every verdict again."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchmarks.corpus import write_corpus
from tests import calls
from tests.contract.fields import breaches
from tests.contract.test_api_doc import PROJECT, surroundings
from tests.forks import CLI, Forked

pytestmark = pytest.mark.slow
SCRIPT = PROJECT / "docs/examples/recompute_trust.py"
RUNS = 3_000
LARGEST = 200_000
"""No page of the record is larger: a hundred reports of two texts of a paragraph each, and what they say of the run."""


@contextmanager
def served(content: Path, folder: Path) -> Iterator[str]:
    """`playbooks serve` over some content; its address."""
    command = ["serve", "--port", "0", "--content", content, "--out", folder / "out", "--var", folder / "var"]
    process = Forked(CLI, [*command, "--no-work"], surroundings())
    try:
        yield next(found[1] for line in process.stdout if (found := re.search(r"serving (http://\S+)/", line)))
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def recomputed(address: str) -> dict[str, list[str]]:
    """What the script says of each playbook."""
    command = [sys.executable, "-W", "error", str(SCRIPT), address]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120, env=surroundings())
    return {words[0]: words[1:] for words in map(str.split, done.stdout.splitlines())}


def asked(client: httpx.Client, at: str, **how: Any) -> httpx.Response:
    """An answer, as a caller gets it who waits when told to."""
    while (answer := client.get(at, **how)).status_code == 429:
        time.sleep(int(answer.headers["retry-after"]))
    return answer


def pages(client: httpx.Client, at: str | None) -> Iterator[dict[str, Any]]:
    """A page of the record, and all that `next` leads to."""
    while at:
        answer = asked(client, at)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
        assert len(answer.content) <= LARGEST
        yield answer.json()
        at = answer.json()["next"]


def test_the_script_agrees_with_every_verdict_of_the_real_library(tmp_path: Path) -> None:
    with served(PROJECT / "content", tmp_path) as address:
        told = {book["slug"]: book["trust"] for book in calls.get(f"{address}/api/v1/playbooks").json()["items"]}
        assert {slug: said[0] for slug, said in recomputed(address).items()} == told
    assert told


def test_three_thousand_reports_are_all_reached_and_every_verdict_is_worked_out_again(tmp_path: Path) -> None:
    content = write_corpus(tmp_path / "content", 60, runs=RUNS)
    files = sorted(content.glob("runs/*/*.yaml"))
    gone = files[:: RUNS // 5]
    for file in gone:
        file.write_text(file.read_text(encoding="utf-8") + "status: withdrawn\n", encoding="utf-8")
    there = {file.stem for file in files}
    with served(content, tmp_path) as address, calls.Client(base_url=f"{address}/api/v1", timeout=30) as client:
        record = list(pages(client, asked(client, "/runs").json()["next"]))
        items = [item for page in record for item in page["items"]]
        assert {item["id"] for item in items} == there
        assert len(items) == RUNS
        assert {item["id"] for item in items if item.get("withdrawn")} == {file.stem for file in gone}
        assert [problem for page in record for problem in breaches(page, "Run month")] == []
        assert [item["reported"] for item in items] == sorted((item["reported"] for item in items), reverse=True)
        apart = {}
        for book in asked(client, "/playbooks").json()["items"]:
            heads = asked(client, "/runs", params={"playbook": book["slug"]}).json()
            apart[book["slug"]] = [item for page in pages(client, heads["next"]) for item in page["items"]]
            assert heads["total"] == sum("withdrawn" not in item for item in apart[book["slug"]])
            trust = asked(client, f"/playbooks/{book['slug']}/trust")
            assert len(trust.content) < 20_000
            assert list(breaches(trust.json(), "Trust")) == []
        assert sorted(item["id"] for some in apart.values() for item in some) == sorted(there)
        said = recomputed(address)
    assert {slug: words[-2:] for slug, words in said.items()} == {slug: ["as", "told"] for slug in apart}
    assert len({words[0] for words in said.values()}) >= 3
    assert {words[1] for words in said.values()} == {"True", "False"}
