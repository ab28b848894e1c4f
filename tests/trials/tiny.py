"""The smallest trial: `answer` has to hold 42. Parts of it are changed by what a test is about."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cli
from library.records.trials import CANARY
from library.trials.sandbox import Sandbox
from tests.builders import BOOK, PLAYBOOK, TODAY, put, write_content

CACHE = ".cache"
needs_bwrap = pytest.mark.skipif(
    bool(Sandbox(shutil.which("bwrap")).refusal()), reason="bubblewrap does not work here: tests/install-system.sh"
)
_HEAD = f"#!/bin/bash\n# {CANARY}\n"
TRIAL = """\
playbook: fix-flaky-tests
sentence: What is six by seven? Write it into the file answer.
done: The file answer holds the product and nothing else.
command_limit: 120
tools:
  cat: cat --version
spans:
  cat question:
    run: world
    prints: six by seven
  answer:
    file: "42"
    state: solve
checks:
  "1": test "$(cat answer)" = 42
"""
FILES: Mapping[str, str] = {
    "trial.yaml": TRIAL,
    "world/question": "six by seven\n",
    "solution/solve.sh": f"{_HEAD}echo 42 > answer\n",
    "solution/also-added.sh": f"{_HEAD}echo $((6 + 36)) > answer\n",
    "cheats/01-near.sh": f"{_HEAD}echo 41 > answer\n",
    "cheats/02-empty.sh": f"{_HEAD}touch answer\n",
    "cheats/03-both.sh": f"{_HEAD}printf '41\\n42\\n' > answer\n",
    "cheats/04-elsewhere.sh": f"{_HEAD}echo 42 > answers\n",
    "cheats/05-asks.sh": f"{_HEAD}echo '42?' > answer\n",
    "grader/grade.sh": f"{_HEAD}[ \"$(\"$CHILD\" 'cat answer')\" = 42 ] || {{ echo 'not 42'; exit 10; }}\n",
}
DIG = "n=$(printf '%0200d' 0); for i in $(seq 25); do mkdir $n && cd -P $n || exit; done"
"""Makes folders that lie deeper than a path is long."""
STEP = "    detail: Read it with `cat question`.\n    check: The file `answer` holds the product.\n"


def script(body: str) -> str:
    """A script of a trial, with its canary."""
    return f"{_HEAD}{body}\n"


def a_content(folder: Path, changes: Mapping[str, str | None] | None = None) -> Path:
    """The minimal content with the tiny trial, changed by path within the trial; None leaves a file out."""
    old = "    detail: Run the test a hundred times.\n    check: It failed at least once.\n"
    content = write_content(folder, {f"playbooks/{BOOK}.yaml": PLAYBOOK.replace(old, STEP)})
    for name, body in {**FILES, **(changes or {})}.items():
        if body is not None:
            put(content, f"trials/{BOOK}/{name}", body)
    return content


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests of a process: the tools are installed once."""
    return tmp_path_factory.mktemp("t")


def run(content: Path, cache: Path, *words: object) -> Result:
    """`playbooks trial WORDS` on a content."""
    told = ["trial", *map(str, words), "--content", str(content), "--today", str(TODAY)]
    return CliRunner().invoke(cli.main, told, env={"XDG_CACHE_HOME": str(cache)})


def left(cache: Path) -> list[str]:
    """What commands left behind of their cases."""
    work = cache / "playbooks/trials/work"
    return sorted(path.name for path in work.iterdir()) if work.exists() else []
