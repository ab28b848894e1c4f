"""A build killed at any moment leaves every served file whole, and the next build is right; the index included.

There are 4 kills, and 30 in the long form.
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

from benchmarks.corpus import as_yaml, texts_of, write_corpus
from library.search.query import Question, SearchEngine
from tests.builders import TODAY
from tests.lengths import many
from tests.trees import built, tree

KILLS = many(4, 30)
COUNT = many(70, 150)
QUESTIONS = ("aider", "review", "audit draft", "flaky", "tokens", "changed words")


def edit(content: Path, number: int) -> None:
    """Let the content say the other thing of two: every third playbook, one that comes and goes, a lesson, an agent."""
    for path in sorted((content / "playbooks").iterdir())[::3]:
        cost = ("Tokens, growing", "Changed words, growing")[number]
        path.write_bytes(as_yaml(texts_of(path.read_bytes()) | {"cost": cost}))
    agent, comes = content / "agents/aider.yaml", content / "agents/visitor.yaml"
    record = texts_of(agent.read_bytes())
    agent.write_bytes(as_yaml(record | {"name": f"Agent said {number}"}))
    if number:
        comes.write_bytes(as_yaml({key: record[key] for key in record if key != "aliases"} | {"name": "Visitor"}))
    else:
        comes.unlink(missing_ok=True)


def answers(out: Path) -> list[dict[str, Any]]:
    """What the index of a site answers; it has to be whole."""
    engine = SearchEngine(out.resolve().parent)
    return [engine.answer(Question(text, limit=50)).model_dump() for text in QUESTIONS]


def command(content: Path, out: Path) -> list[str]:
    made = [sys.executable, "-W", "ignore", "-m", "cli", "build", "--jobs", "2", "--today", str(TODAY)]
    return [*made, "--content", str(content), "--out", str(out)]


def begun(content: Path, out: Path) -> subprocess.Popen[str]:
    """A build under way, of which another process works too."""
    run = subprocess.Popen(
        command(content, out), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
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
    run = begun(content, out)
    os.killpg(run.pid, signal.SIGINT)
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said.strip()) == (130, "Aborted!")
    assert not [path.name for path in (tmp_path / ".site").iterdir() if path.name.isdigit()]
    assert not out.exists()


@pytest.mark.slow
def test_a_lost_process_is_said_and_readers_have_what_they_had(tmp_path: Path) -> None:
    content, out = write_corpus(tmp_path / "content", 150), tmp_path / "site"
    built(content, out)
    for number in range(9):  # it may be faster
        before = tree(out)
        edit(content, 1 - number % 2)
        run = begun(content, out)
        while run.poll() is None:  # of each of its pools one
            for fork in forks(run.pid)[:1]:
                with suppress(ProcessLookupError):
                    os.kill(fork, signal.SIGKILL)
        _, said = run.communicate(timeout=60)
        if run.returncode:
            assert "a worker of the build was killed; what is served stays as it was" in said
            assert tree(out) == before
            return
    raise AssertionError("it was always faster")


def test_a_build_whose_words_nobody_can_read_is_made_all_the_same(tmp_path: Path) -> None:
    content, out = write_corpus(tmp_path / "content", 1), tmp_path / "site"
    run = ["sh", "-c", 'exec "$@" 2>&-', "sh", *command(content, out)]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    assert (out / "index.html").exists()


def both(folder: Path, content: Path) -> tuple[list[dict[str, bytes]], list[list[dict[str, Any]]]]:
    """The site and the answers of its index for either thing that the content may say."""
    trees, told = [], []
    for number in (0, 1):
        edit(content, number)
        built(content, folder / f"wanted-{number}")
        trees.append(tree(folder / f"wanted-{number}"))
        told.append(answers(folder / f"wanted-{number}"))
    return trees, told


@pytest.mark.slow
def test_a_build_killed_at_any_moment_leaves_the_site_as_it_was_and_the_next_is_right(tmp_path: Path) -> None:
    chance = random.Random(9)
    content, out = write_corpus(tmp_path / "content", COUNT, runs=COUNT), tmp_path / "site"
    trees, told = both(tmp_path, content)
    began = time.perf_counter()
    subprocess.run(command(content, out), check=True, stdout=subprocess.DEVNULL)
    lasts = time.perf_counter() - began
    state, cut = 1, 0
    for kill in range(KILLS):
        state = 1 - state
        edit(content, state)
        run = subprocess.Popen(
            command(content, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(chance.uniform(0.2, 1) * lasts)
        cut += run.poll() is None
        if kill % 3:
            with suppress(ProcessLookupError):  # it was faster
                os.killpg(run.pid, signal.SIGKILL)
        else:
            run.kill()  # its workers have to end by themselves
        run.wait()
        assert (tree(out), answers(out)) in list(zip(trees, told, strict=True))
        built(content, out)
        assert (tree(out), answers(out)) == (trees[state], told[state])
    assert cut >= KILLS // 3


RESIDENT = """
import sys
from datetime import date
from pathlib import Path
from build.pipeline import Resident
from build.reading import Sources
from build.settings import BuildSettings
resident = Resident(Sources(Path(sys.argv[1])))
told = BuildSettings(Path(sys.argv[1]), Path(sys.argv[2]), date.fromisoformat(sys.argv[3]), jobs=1, durable=False)
print(resident.build(told).edit, flush=True)
for _ in sys.stdin:
    print(resident.build(told).edit, flush=True)
"""


@pytest.mark.slow
def test_a_resident_killed_at_any_moment_leaves_files_whole_and_the_next_build_is_right(tmp_path: Path) -> None:
    chance = random.Random(9)
    content, out = write_corpus(tmp_path / "content", COUNT // 3, runs=COUNT // 3), tmp_path / "site"
    trees, told = both(tmp_path, content)
    whole = {*trees[0].items(), *trees[1].items()}
    state, cut = 1, 0
    for _ in range(KILLS):
        run = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", RESIDENT, str(content), str(out), str(TODAY)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert run.stdin
        assert run.stdout
        assert run.stdout.readline() == "False\n"
        state = 1 - state
        edit(content, state)
        run.stdin.write("\n")
        run.stdin.flush()
        time.sleep(chance.uniform(0.05, 0.5))
        run.kill()
        cut += run.communicate()[0] == ""
        served = {(name, body) for name, body in tree(out).items() if not name.rpartition("/")[2].startswith(".")}
        assert served <= whole
        assert answers(out) in told
        built(content, out)
        assert (tree(out), answers(out)) == (trees[state], told[state])
    assert cut, "none was killed at work"
