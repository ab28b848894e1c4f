"""A build killed at any moment leaves every served file whole, and the next build is right; the index included.

There are 4 kills, and 30 in the long form.
"""

from __future__ import annotations

import os
import random
import re
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
from tests.lengths import many
from tests.trees import built, tree

KILLS = many(4, 30)
COUNT = many(70, 150)
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


def begun(content: Path, out: Path, *, fresh: bool) -> subprocess.Popen[str]:
    """A build under way, of which another process works too."""
    run = subprocess.Popen(
        command(content, out, fresh=fresh), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    until = time.monotonic() + 60
    while not forks(run.pid) and run.poll() is None:
        assert time.monotonic() < until
    return run


def forks(pid: int) -> list[int]:
    """The forks of a process, and not the git that it has begun."""
    try:
        own = Path(f"/proc/{pid}/cmdline").read_bytes()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(child) for child in children if Path(f"/proc/{child}/cmdline").read_bytes() == own]
    except OSError:
        return []


@pytest.mark.slow
def test_ctrl_c_ends_every_process_with_a_word_and_leaves_nothing(tmp_path: Path) -> None:
    content, out = write_corpus(tmp_path / "content", COUNT), tmp_path / "site"
    run = begun(content, out, fresh=True)
    os.killpg(run.pid, signal.SIGINT)
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said.strip()) == (130, "Aborted!")
    assert [path.name for path in (tmp_path / ".site").iterdir() if path.name.startswith("books-")] == []
    assert not out.exists()


def lost(content: Path, out: Path, *, fresh: bool) -> str:
    """What a build says whose other process was killed; of an edited library, while it was writing."""
    for number in range(9):  # it may be faster
        for path in (content / "playbooks").iterdir():
            text = re.sub(r"(?m)^title: (Title \d+ )?", f"title: Title {number} ", path.read_text(encoding="utf-8"))
            path.write_text(text, encoding="utf-8")
        run = begun(content, out, fresh=fresh)
        while run.poll() is None:
            writes = fresh or any(out.with_name(".site").glob("*/unfinished"))
            found = forks(run.pid)
            time.sleep(0.01)
            if writes and found and found[0] in forks(run.pid):  # git is not called like us for long
                os.kill(found[0], signal.SIGKILL)
                break
        _, said = run.communicate(timeout=60)
        if run.returncode:
            return said
    raise AssertionError("it was always faster")


@pytest.mark.slow
def test_what_readers_have_after_a_lost_process_is_said(tmp_path: Path) -> None:
    content, out = write_corpus(tmp_path / "content", 150), tmp_path / "site"
    killed = "a worker of the build was killed;"
    assert f"{killed} what is served stays as it was" in lost(content, out, fresh=True)
    built(content, out, today=TODAY)
    said = lost(content, out, fresh=False)
    assert f"{killed} some of what is served is new already; the next build does the rest" in said


def test_a_build_whose_words_nobody_can_read_is_made_all_the_same(tmp_path: Path) -> None:
    content, out = write_corpus(tmp_path / "content", 1), tmp_path / "site"
    run = ["sh", "-c", 'exec "$@" 2>&-', "sh", *command(content, out, fresh=False)]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    assert (out / "index.html").exists()


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
