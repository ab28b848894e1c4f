"""`playbooks trial run`: what an agent is given, what it can do, and who says what came of it."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import socket
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from ruamel.yaml import YAML

import cli
from library.content.loading import read, read_playbook
from library.records import models
from library.records.trials import TrialSpec
from library.records.vocabulary import Arm
from library.trials.proving import Bench
from library.trials.running import NOBODY, prompt_of, run_agent
from library.trials.sandbox import found_sandbox, installed, workshop
from tests.builders import BOOK, TODAY, put
from tests.trials.tiny import DIG, STEP, a_content, cache, left, needs_bwrap, run, script

__all__ = ["cache"]
pytestmark = [pytest.mark.slow, pytest.mark.system, needs_bwrap]


def run_cli(*words: object) -> Result:
    """`playbooks trial WORDS` where no content is looked at."""
    return CliRunner().invoke(cli.main, ["trial", *map(str, words)])


def ran(content: Path, cache: Path, command: str, *more: object) -> tuple[dict[str, object], str]:
    """The record and the transcript of one run of an agent that is a shell command."""
    keep = content.parent / "kept"
    agent = f"bash -c {shlex.quote(command)} agent {{prompt}}"
    result = run(content, cache, "run", BOOK, "--agent", agent, "--keep", keep, *more)
    assert result.exit_code == 0, result.output
    assert left(cache) == []
    place = max(keep.iterdir(), key=lambda path: path.stat().st_mtime_ns)
    return json.loads((place / "outcome.json").read_bytes()), (place / "transcript.txt").read_text("utf-8")


def test_oracle_works_and_nop_fails(tmp_path: Path, cache: Path) -> None:
    content, keep = a_content(tmp_path), tmp_path / "kept"
    for agent, outcome in (("oracle", "worked"), ("nop", "failed")):
        result = run(content, cache, "run", BOOK, "--agent", agent, "--keep", keep, "--report")
        assert result.output.startswith(outcome), result.output
        assert "a draft" not in result.output


def test_each_arm_is_given_its_text_and_both_the_same_definition_of_done(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    record, said = ran(content, cache, 'echo "$1"; echo 42 > answer', "--arm", "playbook", "--report")
    assert (record["outcome"], record["arm"], record["agent"]) == ("worked", "playbook", "unnamed-ai-agent")
    assert "Read it with `cat question`" in said
    bare, words = ran(content, cache, 'echo "$1"', "--arm", "bare")
    assert bare["outcome"] == "failed"
    assert "Read it with" not in words
    assert [text for text in (said, words) if "holds the product and nothing else" not in text] == []
    drafts = list((tmp_path / "kept").glob("*/report.json"))
    assert [json.loads(draft.read_bytes())["outcome"] for draft in drafts] == ["worked"]


def test_runs_are_counted_each_in_a_fresh_world(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    ran(content, cache, "test ! -e answer && echo 42 > answer", "--times", 2)
    kept = sorted((tmp_path / "kept").glob("*/outcome.json"))
    assert [json.loads(path.read_bytes())["outcome"] for path in kept] == ["worked", "worked"]


def test_an_agent_finds_no_grader_no_solution_and_nothing_of_the_host(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    look = "find / -xdev -name '*.sh' -path '*grade*' 2>/dev/null; grep -rl 'trial canary' / --include='*.sh' -s | head"
    record, said = ran(content, cache, f"{look}; ls /home /root {content} 2>&1; env; cat /etc/shadow")
    assert record["outcome"] == "failed"
    assert "grade.sh" not in said
    assert "solve.sh" not in said
    assert "GRADER" not in said
    assert "XDG_CACHE_HOME" not in said
    assert "shadow: No such file" in said


def test_a_forged_reward_and_a_forged_grader_count_for_nothing(tmp_path: Path, cache: Path) -> None:
    forge = "mkdir -p logs/verifier grader; echo 1 > logs/verifier/reward.txt; echo worked > outcome"
    record, _ = ran(a_content(tmp_path), cache, f"{forge}; echo 'exit 0' > grader/grade.sh; exit 0")
    assert record["outcome"] == "failed"


def test_an_agent_that_kills_all_that_it_can_kills_itself(tmp_path: Path, cache: Path) -> None:
    record, _ = ran(a_content(tmp_path), cache, "kill -9 $PPID 1; kill -9 -1; echo 41 > answer")
    assert record["outcome"] == "failed"


def test_an_agent_reaches_no_network(tmp_path: Path, cache: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        port = listener.getsockname()[1]
        _, said = ran(a_content(tmp_path), cache, f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo reached")
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert "reached" not in said


def test_an_agent_that_fills_the_disk_is_ended_and_failed(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    spec = read(content, f"trials/{BOOK}/trial.yaml", TODAY).record
    assert isinstance(spec, TrialSpec)
    sandbox = found_sandbox()
    sandbox.disk, sandbox.tools = 5_000_000, installed(content, spec.needs, cache / "playbooks/trials")
    with workshop(tmp_path / "own") as room:
        bench = Bench(spec, content, sandbox, room)
        fill = "bash -c 'echo 42 > answer; head -c 50000000 /dev/zero > big; sleep 1000' {prompt}"
        book = read_playbook(content, BOOK, TODAY)
        record, _ = run_agent(bench, book, Arm.BARE, fill, NOBODY, lambda: datetime(2026, 11, 22, tzinfo=UTC), ())
    assert (record["stopped"], record["outcome"]) == ("disk", "failed")
    assert list((tmp_path / "own/work").iterdir()) == []


def test_what_the_case_brings_along_runs_where_no_grader_is(tmp_path: Path, cache: Path) -> None:
    grader = script('"$CHILD" \'bash ./answer\' > said || true\ncat said\n[ "$(cat said)" = 42 ] || exit 10')
    content = a_content(tmp_path, {"grader/grade.sh": grader})
    peek = "echo 'ls -d /grader* /child* 2>/dev/null; env | grep -c GRADER; kill -9 1 -1; exit 0' > answer"
    record, _ = ran(content, cache, peek)
    assert (record["outcome"], record["why"]) == ("failed", "0")
    assert ran(content, cache, "echo 'echo 42' > answer")[0]["outcome"] == "worked"


@pytest.mark.parametrize(
    "trick",
    [
        "mkfifo answer",
        "ln -s /dev/zero answer",
        "ln -s /proc/kmsg answer",
        "ln -s answer answer",
        "mkdir -p answer/a",
        f"echo 42 > answer; {DIG}",
        "echo 42 > answer; chmod 000 .",
        "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"answer\")'",
    ],
)
def test_what_is_no_plain_file_is_failed_and_blocks_no_grader(trick: str, tmp_path: Path, cache: Path) -> None:
    grader = script('read -r said < answer || { echo "no answer"; exit 10; }\n[ "$said" = 42 ] || exit 10')
    record, _ = ran(a_content(tmp_path, {"grader/grade.sh": grader}), cache, f"{trick}; true")
    assert record["outcome"] in ({"worked", "failed"} if "chmod" in trick else {"failed"}), "a verdict, no error"


def test_what_the_case_does_while_it_is_graded_blocks_no_grader(tmp_path: Path, cache: Path) -> None:
    grader = script('"$CHILD" "bash ./answer" || true\nread -r said < late || exit 10\n[ "$said" = 42 ] || exit 10')
    content = a_content(tmp_path, {"grader/grade.sh": grader})
    assert ran(content, cache, "echo 'mkfifo late' > answer")[0]["outcome"] == "failed"
    assert ran(content, cache, "echo 'head -c 3G /dev/zero > late; sleep 1' > answer")[0]["outcome"] == "failed"


def test_a_handover_has_a_world_a_text_and_a_shell_and_is_graded_outside(tmp_path: Path, cache: Path) -> None:
    content, place = a_content(tmp_path), tmp_path / "run-1"
    put(content, f"skills/{BOOK}/scripts/check-1.py", "print(1)\n")
    assert run(content, cache, "run", BOOK, "--handover", place, "--arm", "playbook").exit_code == 0
    assert sorted(path.name for path in place.iterdir()) == ["TASK.md", "case", "handover.json", "shell", "skill"]
    shell = [str(place / "shell"), 'pwd; cat question; python3 "$SKILL/scripts/check-1.py"; echo 42 > answer']
    said = subprocess.run(shell, capture_output=True, text=True, check=True).stdout
    assert said == "/trial\nsix by seven\n1\n"
    assert subprocess.run([shell[0]], input="exit '3'", text=True, check=False).returncode == 3
    assert (place / "case/answer").read_text("utf-8") == "42\n"
    put(tmp_path, "said.txt", "I multiplied.")
    graded = run(content, cache, "run", "--grade", place, "--transcript", tmp_path / "said.txt", "--report")
    assert graded.output.startswith("worked (playbook"), graded.output
    record = json.loads((place / "outcome.json").read_bytes())
    transcript = (place / "transcript.txt").read_bytes()
    untimed = re.sub(rb"(?m)^\[\d\d:\d\d:\d\d\] |, after \d+ s(?=\]$)", b"", transcript)
    assert f"$ {shell[1]}\n{said}\n[exit code 0]\n\n$ exit '3'\n\n[exit code 3]\n".encode() in untimed
    assert transcript.endswith(b"I multiplied.")
    assert record["transcript"] == hashlib.sha256(transcript).hexdigest()
    assert (record["agent"], record["sandbox"][:10], len(record["transcript"])) == (
        "unnamed-ai-agent",
        "bubblewrap",
        64,
    )
    assert json.loads((place / "report.json").read_bytes())["playbook_version"] == record["playbook_version"]
    printed = run_cli("tested", place, "--by", "maintainers")
    assert printed.exit_code == 0, printed.output
    (entry,) = YAML(typ="safe").load(printed.output)["tested"]
    assert models.Tested.model_validate(entry).outcome == "worked"
    assert (entry["agent"], entry["by"], entry["version"]) == (
        "unnamed-ai-agent",
        "maintainers",
        record["playbook_version"],
    )
    assert run_cli("tested", tmp_path, "--by", "maintainers").exit_code == 1
    assert run_cli("tested", place, "--by", "No Handle").exit_code == 2
    put(content, f"trials/{BOOK}/world/question", "seven by six\n")
    assert run(content, cache, "run", "--grade", place).exit_code == 3


def test_wrong_use_of_run_is_said(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    assert run(content, cache, "run", BOOK).exit_code == 2
    assert run(content, cache, "run", BOOK, "--agent", "no-such-preset").exit_code == 2
    assert "key stays outside" in run(content, cache, "run", BOOK, "--agent", "claude").output


def test_the_playbooks_text_of_an_arm_has_every_step_and_check(tmp_path: Path) -> None:
    content = a_content(tmp_path)
    spec = read(content, f"trials/{BOOK}/trial.yaml", TODAY).record
    assert isinstance(spec, TrialSpec)
    book = read_playbook(content, BOOK, TODAY)
    told = book.model_copy(update={"human_checkpoints": ("Before step 1: look.", "After step 9: look.", "Look.")})
    title = book.steps[0].title
    assert told.checkpoints == (f"Before step 1 ({title}): look.", "After step 9: look.", "Look.")
    assert f"A person decides: Before step 1 ({title}): look.\n" in prompt_of(spec, told, Arm.PLAYBOOK)
    text = prompt_of(spec, book, Arm.PLAYBOOK)
    assert [line for line in STEP.splitlines() if line.split(": ", 1)[1] not in text] == []
