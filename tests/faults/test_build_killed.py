"""A build killed at any moment leaves every served file whole, and the next build is right; the index included.

`BUILD_KILLS` says how many kills there are: 6 by default, 30 in the long form.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.corpus import write_corpus
from library.search.query import Question, SearchEngine
from tests.builders import TODAY
from tests.trees import built, tree

KILLS = int(os.environ.get("BUILD_KILLS", "6"))
COUNT = 150 if KILLS > 6 else 70
QUESTIONS = ("agent-1", "review", "audit draft", "flaky", "tokens", "changed words")


def edit(content: Path, number: int) -> None:
    """Let the content say the other thing of two: every third playbook, one that comes and goes, a lesson, an agent."""
    before, after = ("Tokens, growing", "Changed words, growing")[:: 1 if number else -1]
    for path in sorted((content / "playbooks").iterdir())[::3]:
        path.write_text(path.read_text(encoding="utf-8").replace(f"cost: {before}", f"cost: {after}"), encoding="utf-8")
    agent = content / "agents/agent-1.yaml"
    lines = agent.read_text(encoding="utf-8").splitlines()[1:]
    agent.write_text("\n".join([f"name: Agent said {number}", *lines, ""]), encoding="utf-8")
    comes = content / "agents/visitor.yaml"
    if number:
        comes.write_text("\n".join(["name: Visitor", *lines, ""]), encoding="utf-8")
    else:
        comes.unlink(missing_ok=True)


def answers(out: Path) -> list[dict[str, Any]]:
    """What the index of a site answers; it has to be whole."""
    engine = SearchEngine(out.resolve().parent)
    return [engine.answer(Question(text, limit=50)).model_dump() for text in QUESTIONS]


def command(content: Path, out: Path, *, fresh: bool) -> list[str]:
    made = [sys.executable, "-W", "ignore", "-m", "cli", "build", "--jobs", "2", "--today", str(TODAY)]
    return [*made, "--content", str(content), "--out", str(out), *(["--fresh"] if fresh else [])]


@pytest.mark.slow
def test_a_build_killed_at_any_moment_leaves_files_whole_and_the_next_is_right(tmp_path: Path) -> None:
    chance = random.Random(9)
    content, out = write_corpus(tmp_path / "content", COUNT, runs=COUNT), tmp_path / "site"
    trees, told = [], []
    for number in (0, 1):
        edit(content, number)
        built(content, tmp_path / f"wanted-{number}")
        trees.append(tree(tmp_path / f"wanted-{number}"))
        told.append(answers(tmp_path / f"wanted-{number}"))
    whole = {*trees[0].items(), *trees[1].items()}
    lasts = {}
    for fresh in (True, False):  # how long either kind takes here and now; the second has something to do
        edit(content, int(not fresh))
        began = time.perf_counter()
        subprocess.run(command(content, out, fresh=fresh), check=True, stdout=subprocess.DEVNULL)
        lasts[fresh] = time.perf_counter() - began
    state, cut = 1, 0
    for kill in range(KILLS):
        state, fresh = 1 - state, kill % 2 == 1
        edit(content, state)
        run = subprocess.Popen(
            command(content, out, fresh=fresh),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(chance.uniform(0.2, 1) * lasts[fresh])
        cut += run.poll() is None
        if kill % 3:
            with suppress(ProcessLookupError):  # it was faster
                os.killpg(run.pid, signal.SIGKILL)
        else:
            run.kill()  # its workers have to end by themselves
        run.wait()
        served = {(name, body) for name, body in tree(out).items() if not name.rpartition("/")[2].startswith(".")}
        assert served <= whole
        assert answers(out) in told
        subprocess.run(command(content, out, fresh=False), check=True, stdout=subprocess.DEVNULL, timeout=300)
        assert tree(out) == trees[state]
        assert answers(out) == told[state]
    assert cut >= KILLS // 3
