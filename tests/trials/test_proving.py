"""`playbooks trial prove`: what is proven, what is not, what is neither; and nothing is left behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from library.content.loading import read
from library.content.trialfiles import digest_of
from library.records.trials import TrialSpec
from library.trials.proving import Bench, prove
from library.trials.sandbox import Sandbox, TrialError, copied, found_sandbox, installed, remove, workshop
from tests.builders import BOOK, TODAY, put
from tests.test_layers import PROJECT
from tests.trials.tiny import DIG, FILES, TRIAL, a_content, cache, left, needs_bwrap, run, script
from tests.waiting import PATIENCE, until

__all__ = ["cache"]
pytestmark = [pytest.mark.slow, pytest.mark.system, needs_bwrap]
PROVEN = f"trials/{BOOK}/proven.json"


def test_a_trial_is_proven_and_the_proof_is_the_same_every_time(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    result = run(content, cache, "prove", BOOK)
    assert result.exit_code == 0, result.output
    assert "5 of 5 cheats caught" in result.output
    first = (content / PROVEN).read_bytes()
    proof = json.loads(first)
    assert proof["states"]["also-added"] == {"kind": "solution", "checks": {"1": "passes"}, "grader": "worked"}
    assert proof["states"]["03-both"] == {"kind": "cheat", "checks": {"1": "fails"}, "grader": "failed"}
    assert (proof["date"], proof["trial_digest"]) == (str(TODAY), digest_of(content, BOOK))
    assert run(content, cache, "prove", "--all", "--jobs", 1).exit_code == 0
    assert (content / PROVEN).read_bytes() == first
    assert left(cache) == []


def test_ci_compares_what_was_committed(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    missing = run(content, cache, "prove", BOOK, "--compare", "--format", "json")
    assert (missing.exit_code, (content / PROVEN).exists()) == (1, False)
    assert "there is no proven.json" in json.loads(missing.output)[0]["problems"][0]
    run(content, cache, "prove", BOOK)
    assert run(content, cache, "prove", BOOK, "--compare").exit_code == 0
    put(content, f"trials/{BOOK}/cheats/05-asks.sh", script("echo 43 > answer"))
    changed = run(content, cache, "prove", BOOK, "--compare")
    assert changed.exit_code == 1
    assert "another trial_digest" in changed.output


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"trial.yaml": TRIAL.replace('test "$(cat answer)" = 42', "test -s answer")}, "check passes on 01-near"),
        ({"trial.yaml": TRIAL.replace('test "$(cat answer)" = 42', "true")}, "check 1 passes everywhere"),
        ({"trial.yaml": TRIAL.replace("= 42", "= 43")}, "check 1 refuses the solution also-added"),
        ({"grader/grade.sh": script("exit 0")}, "the grader says that 01-near worked"),
        ({"grader/grade.sh": script("exit 10")}, "the grader refuses the solution solve"),
        ({"trial.yaml": TRIAL.replace("prints: six by seven", "prints: six times")}, "did not print 'six times'"),
        ({"trial.yaml": TRIAL.replace("prints: six by seven", 'prints: ""')}, "printed something"),
        ({"trial.yaml": TRIAL.replace("run: world", "run: world\n    as: '{} && false'")}, "exit code 1, not 0"),
        ({"trial.yaml": TRIAL.replace('file: "42"', 'file: "43"')}, "does not hold '43'"),
        ({"trial.yaml": TRIAL.replace("state: solve", "state: world")}, "is no file of the state"),
        (
            {
                "solution/solve.sh": script("mkfifo answer"),
                "trial.yaml": TRIAL.replace('test "$(cat', 'test "$(timeout 1 cat'),
            },
            "is no file of the state",
        ),
        ({"solution/solve.sh": script("ln -s /etc/passwd answer")}, "is no file of the state"),
    ],
)
def test_what_does_not_hold_is_not_proven(
    changes: dict[str, str | None], words: str, tmp_path: Path, cache: Path
) -> None:
    content = a_content(tmp_path, changes)
    result = run(content, cache, "prove", BOOK)
    assert (result.exit_code, (content / PROVEN).exists()) == (1, False)
    assert words in result.output


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"setup.sh": "echo no room for postgres; exit 3\n"}, "no room for postgres"),
        ({"cheats/02-empty.sh": script("touhc answer")}, "02-empty: cheats/02-empty.sh ended with exit code 127"),
        ({"solution/also-added.sh": script("exit 1")}, "also-added: solution/also-added.sh"),
        ({"grader/grade.sh": script("exit 1")}, "the grader failed (exit code 1"),
        ({"trial.yaml": TRIAL.replace("cat --version", "catt --version")}, "the tool cat is missing"),
        (
            {"trial.yaml": TRIAL.replace('test "$(cat', 'no-such-test "$(cat')},
            "world: check 1 ended with exit code 127",
        ),
        ({"trial.yaml": TRIAL.replace("cat --version", "sleep 600").replace("120", "1")}, "ran out of time"),
        ({"trial.yaml": f"{TRIAL}needs:\n  debian:\n    - no-such-package\n"}, "not installed here: no-such-package"),
    ],
)
def test_what_broke_is_an_error_and_no_verdict(
    changes: dict[str, str | None], words: str, tmp_path: Path, cache: Path
) -> None:
    content = a_content(tmp_path, changes)
    result = run(content, cache, "prove", BOOK)
    assert (result.exit_code, (content / PROVEN).exists()) == (3, False)
    assert words in result.output
    assert left(cache) == []


def test_all_that_broke_is_said_beside_what_came_out(tmp_path: Path, cache: Path) -> None:
    broken = {"cheats/02-empty.sh": script("touhc answer"), "solution/also-added.sh": script("exit 4")}
    result = run(a_content(tmp_path, broken), cache, "prove", BOOK, "--jobs", 2)
    assert result.exit_code == 3
    assert "02-empty: cheats/02-empty.sh ended with exit code 127" in result.output
    assert "also-added: solution/also-added.sh ended with exit code 4" in result.output
    rows = [line.split() for line in result.output.splitlines()]
    assert ["solve", "solution", "+", "worked"] in rows
    assert ["01-near", "cheat", "-", "failed"] in rows
    assert "proven" not in result.output.partition("\n")[0]
    assert left(cache) == []


def test_both_sets_of_cheats_are_counted(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path, {"cheats-second/01-far.sh": script("echo 0 > answer")})
    said = run(content, cache, "prove", BOOK).output
    assert "5 of 5 cheats caught, 1 of 1 of the second set" in said


def test_a_grader_that_changes_a_module_never_meets_what_was_compiled_of_it_before(tmp_path: Path, cache: Path) -> None:
    planted = "import py_compile as p; p.compile('m.py', invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH)"
    solve = f'echo 42 > answer; echo "x = 1" > m.py; python3 -c "{planted}"'
    grader = """for x in 42 43; do
  printf 'x = %s\n' $x > m.py; touch -d @1 m.py
  [ "$("$CHILD" 'python3 -c "import m; print(m.x)"')" = $x ] || exit 1
done
[ "$(cat answer)" = 42 ] || exit 10"""
    content = a_content(tmp_path, {"solution/solve.sh": script(solve), "grader/grade.sh": script(grader)})
    result = run(content, cache, "prove", BOOK)
    assert result.exit_code == 0, result.output


def test_scripts_share_files_and_each_refusal_is_said_with_its_last_line(tmp_path: Path, cache: Path) -> None:
    trial = TRIAL.replace('  "1": test', '  "1": cat answer; test')
    changes = {
        "shared/near.inc": script("near=41"),
        "cheats/01-near.sh": script('. "$SHARED/near.inc"; echo $near > answer'),
    }
    said = run(a_content(tmp_path, {"trial.yaml": trial, **changes}), cache, "prove", BOOK).output
    assert "01-near, check 1: 41" in said.splitlines()
    assert "02-empty, check 1: (printed nothing)" in said.splitlines()


def test_all_trials_are_proven_each_said_when_it_is_done_and_seconds_in_all(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    other = "write-release-notes"
    for name, body in FILES.items():
        put(content, f"trials/{other}/{name}", body.replace(BOOK, other).replace("= 42", "= 43"))
    book = (content / f"playbooks/{BOOK}.yaml").read_text("utf-8")
    put(content, f"playbooks/{other}.yaml", re.sub("(?m)^title: .*$", "title: Write release notes", book))
    result = run(content, cache, "prove", "--all", "--jobs", 2)
    assert result.exit_code == 1
    verdicts = [line.split(" (")[0] for line in result.output.splitlines() if "cheats caught" in line]
    assert verdicts == [f"{BOOK}: proven, 5 of 5 cheats caught", f"{other}: not proven, 5 of 5 cheats caught"]
    last = result.output.splitlines()[-1]
    assert re.fullmatch(r"1 proven, 1 not proven, 0 with an error \([0-9.]+ s\)", last)
    put(content, f"trials/{other}/setup.sh", "exit 1\n")
    assert run(content, cache, "prove", "--all", "--jobs", 2).exit_code == 3
    assert left(cache) == []


def test_wrong_use_is_said(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    assert run(content, cache, "prove").exit_code == 2
    assert run(content, cache, "prove", "no-such").exit_code == 2
    assert run(content, cache, "prove", BOOK, "--all").exit_code == 2


def test_what_changed_is_proven_and_the_longest_unproven_beside(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.invalid"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "First"]):
        subprocess.run([*git, *words], check=True)
    assert "0 proven" in run(content, cache, "prove", "--changed").output
    missing = run(content, cache, "prove", "--changed", "--base", "main", "--others", 2, "--compare")
    assert (missing.exit_code, "there is no proven.json" in missing.output) == (1, True)
    assert "1 proven" in run(content, cache, "prove", "--changed", "--others", 2).output
    assert "1 proven" in run(content, cache, "prove", "--changed", "--base", "main", "--compare").output
    assert run(content, cache, "prove", "--changed", "--base", "no-such").exit_code == 2
    for words in (["add", "-A"], ["commit", "-qm", "Proven"]):
        subprocess.run([*git, *words], check=True)
    assert "0 proven" in run(content, cache, "prove", "--changed").output
    put(content, f"skills/{BOOK}/scripts/check-1.py", "print()\n")
    assert "1 proven" in run(content, cache, "prove", "--changed").output


def test_a_plain_folder_proves_as_well(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    spec = read(content, f"trials/{BOOK}/trial.yaml", TODAY).record
    assert isinstance(spec, TrialSpec)
    tools = installed(content / "trials" / BOOK, spec.needs, cache / "playbooks/trials")
    with workshop(tmp_path / "own") as room:
        bench = Bench(spec, content, Sandbox(None, tools), room)
        assert (prove(bench, TODAY, 2, lambda _: None).problems, bench.sandbox.name) == ([], "plain folder")
    assert list((tmp_path / "own/work").iterdir()) == []


def test_a_command_ends_at_its_limit_with_all_that_it_started(tmp_path: Path) -> None:
    case = tmp_path / "case"
    case.mkdir()
    finished = found_sandbox().run(case, "(setsid sleep 4321 &) ; sleep 4321", 1)
    assert finished.stopped == "time"
    assert list(tmp_path.iterdir()) == [case]
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "sleep 4321" not in listed


def test_a_case_that_fills_the_disk_is_ended(tmp_path: Path) -> None:
    case = tmp_path / "case"
    case.mkdir()
    sandbox = found_sandbox()
    sandbox.disk = 1_000_000
    assert sandbox.run(case, "head -c 9000000 /dev/zero > big; sleep 600", PATIENCE).stopped == "disk"
    assert sandbox.run(case, "echo", PATIENCE).stopped == "disk"
    (tmp_path / "other").mkdir()
    finished = sandbox.run(tmp_path / "other", "head -c 900000000 /dev/zero > /tmp/big || echo no room", PATIENCE)
    assert finished.output.endswith("no room\n")


def test_an_interrupt_ends_what_runs_in_another_thread(tmp_path: Path) -> None:
    case = tmp_path / "case"
    case.mkdir()
    sandbox, raised = found_sandbox(), threading.Event()

    def work() -> None:
        try:
            sandbox.run(case, "touch started; sleep 4322", PATIENCE)
        except KeyboardInterrupt:
            raised.set()

    thread = threading.Thread(target=work)
    thread.start()
    until((case / "started").exists, "the command started")
    sandbox.stopping.set()
    thread.join(PATIENCE)
    assert raised.is_set()


def _processes(mark: str) -> list[str]:
    """What still runs with a word in its command line or environment."""
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if mark in line]


PLACES = {
    "setup": ("setup.sh", "{}"),
    "cheat": ("cheats/01-near.sh", script("{}")),
    "check": ("trial.yaml", TRIAL.replace('test "$(cat answer)" = 42', "{}")),
    "grader": ("grader/grade.sh", script("{}")),
    "child": ("grader/grade.sh", script("\"$CHILD\" '{}'")),
}


@pytest.mark.parametrize(
    ("number", "place"), [(signal.SIGTERM, "cheat"), *((signal.SIGKILL, place) for place in PLACES)]
)
def test_a_killed_proof_leaves_nothing_that_the_next_does_not_remove(
    number: signal.Signals, place: str, tmp_path: Path, cache: Path
) -> None:
    mark = f"54{number:02}{list(PLACES).index(place)}{tmp_path.stat().st_ino}"
    name, body = PLACES[place]
    content = a_content(tmp_path, {name: body.replace("{}", f"touch started; sleep {mark}")})
    own = tmp_path / "c"
    (own / "playbooks/trials").mkdir(parents=True)
    run(a_content(tmp_path / "other"), cache, "prove", BOOK)
    (own / "playbooks/trials/tools").symlink_to(cache / "playbooks/trials/tools")
    words = [sys.executable, "-m", "cli", "trial", "prove", BOOK, "--content", str(content), "--today", str(TODAY)]
    process = subprocess.Popen(words, env={**os.environ, "XDG_CACHE_HOME": str(own)}, stderr=subprocess.DEVNULL)
    work = own / "playbooks/trials/work"
    until(lambda: list(work.glob("*/*/started")), "the command started")
    process.send_signal(number)
    assert process.wait(PATIENCE) == (130 if number is signal.SIGTERM else -9)
    until(lambda: not _processes(mark), "the sandboxes died")
    if number is signal.SIGKILL:
        assert len(left(own)) == 1
        with workshop(own / "playbooks/trials"):
            assert len(left(own)) == 1
    assert left(own) == []


@pytest.mark.parametrize("plain", [False, True], ids=["bubblewrap", "plain"])
def test_an_engine_that_is_killed_while_a_sandbox_begins_leaves_none(plain: bool, tmp_path: Path) -> None:
    """As soon as it is started, when `--die-with-parent` comes too late each time, and at moments after that."""
    mark = f"86{tmp_path.stat().st_ino}"
    engine = f"""
import os, signal, subprocess, sys, threading
from pathlib import Path
from library.trials.sandbox import Sandbox, found_sandbox

moment = float(sys.argv[1])
sandbox = Sandbox(None) if {plain} else found_sandbox()

class Killed(subprocess.Popen):
    def __init__(self, *words, **more):
        super().__init__(*words, **more)
        os.kill(os.getpid(), signal.SIGKILL)

if moment:
    threading.Timer(moment, os.kill, (os.getpid(), signal.SIGKILL)).start()
else:
    subprocess.Popen = Killed
sandbox.run(Path({str(tmp_path)!r}, "case"), "sleep {mark}", 1000)
"""
    (tmp_path / "case").mkdir()
    for moment in ("0", "0", "0", "0.002", "0.005", "0.01", "0.02", "0.03", "0.05", "0.1"):
        words = [sys.executable, "-c", engine, moment]
        assert subprocess.run(words, cwd=PROJECT, check=False, timeout=PATIENCE).returncode == -signal.SIGKILL
    until(lambda: not _processes(mark), "the sandboxes died")


def test_a_full_disk_is_an_error_and_leaves_nothing(tmp_path: Path, cache: Path) -> None:
    content, own = a_content(tmp_path), tmp_path / "c"
    run(content, cache, "prove", BOOK)
    (content / PROVEN).unlink()
    (own / "playbooks/trials").mkdir(parents=True)
    small = (
        f'mount -t tmpfs -o size=40m none "{own}/playbooks/trials" && '
        f'ln -s "{cache}/playbooks/trials/tools" "{own}/playbooks/trials/tools" && '
        f'{{ "$@"; code=$?; ls "{own}/playbooks/trials/work"; exit $code; }}'
    )
    words = [sys.executable, "-m", "cli", "trial", "prove", BOOK, "--content", str(content), "--today", str(TODAY)]
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", small, "sh", *words],
        env={**os.environ, "XDG_CACHE_HOME": str(own)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, (content / PROVEN).exists()) == (3, False), done.stdout + done.stderr
    assert "the disk is full" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("0 proven, 0 not proven, 1 with an error")


def test_memory_and_processes_have_limits(tmp_path: Path) -> None:
    case = tmp_path / "case"
    case.mkdir()
    sandbox = found_sandbox()
    eat = "python3 -c 'b = bytearray(5 * 1024**3); b[::4096] = bytes(len(b) // 4096)' || echo refused"
    assert "refused" in sandbox.run(case, eat, PATIENCE).output
    grow = "for i in $(seq 1100); do sleep 3600 & done; wait"
    finished = sandbox.run(case, grow, PATIENCE)
    assert finished.stopped == "processes" or "Resource temporarily unavailable" in finished.output
    assert sandbox.run(case, "truncate -s 100G big || echo refused", PATIENCE).output.strip().endswith("refused")


def test_a_sandbox_shows_no_user_of_the_host(tmp_path: Path) -> None:
    case = tmp_path / "case"
    case.mkdir()
    said = found_sandbox().run(case, "id -un; id -u; cut -d: -f1 /etc/passwd; ls /etc/ssl", PATIENCE).output.split()
    assert said[:5] == ["trial", "1000", "root", "trial", "nobody"]
    assert "private" not in said


def test_folders_deeper_than_a_path_is_long_are_measured_and_removed(tmp_path: Path) -> None:
    case = tmp_path / "case"
    case.mkdir()
    sandbox = found_sandbox()
    sandbox.disk = 5_000_000
    assert sandbox.run(case, f"{DIG}; head -c 9000000 /dev/zero > big", PATIENCE).stopped == "disk"
    with pytest.raises(TrialError, match="could not be copied"):
        copied(case, tmp_path / "copy")
    remove(case)
    assert list(tmp_path.iterdir()) == []


def test_a_case_without_permissions_is_copied_and_removed(tmp_path: Path) -> None:
    case = tmp_path / "case"
    (case / "inner").mkdir(parents=True)
    (case / "inner/file").write_text("1", encoding="utf-8")
    (case / "inner/link").symlink_to("/nowhere")
    copy = copied(case, tmp_path / "copy")
    assert (copy / "inner/link").is_symlink()
    (copy / "inner").chmod(0)
    remove(copy)
    assert not copy.exists()
