"""The preview of a pull request: what it says of pages and trust, and a comment that no pull request can bend."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from build.pipeline import build
from build.settings import BuildSettings
from tests.builders import BOOK, PLAYBOOK, TODAY, put, titled, write_content
from tests.test_layers import PROJECT
from tools.preview import SHOWN, lines

GH = """#!/bin/bash
printf '%s\\n' "$*" >> "$GH_LOG"
case "$1 $2" in
  "run download") mkdir -p "${@: -1}"; cp "$GH_FILES"/* "${@: -1}";;
  "pr view") echo "$GH_HEAD";;
  "pr comment") cat "${@: -1}" > "$GH_LOG.body";;
esac
"""
EVIDENCE = """\
evidence:
  - title: A day with it
    url: https://example.org/a-day
    platform: blog
    agent: Claude Code
    reported_outcome: It worked.
    author: Ada
    outcome: worked
    account: first-hand
  - title: Another day with it
    url: https://example.net/another-day
    platform: blog
    agent: Claude Code
    reported_outcome: It worked again.
    author: Bea
    outcome: worked
    account: first-hand
"""


def _built(content: Path, out: Path) -> Path:
    build(BuildSettings(content, out, TODAY, jobs=1))
    return out


@pytest.mark.slow
def test_it_says_what_changes_in_pages_and_in_trust(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    before = _built(content, tmp_path / "before")
    assert list(lines(before, before)) == [
        "0 pages added, 0 pages removed, 0 pages changed.",
    ]
    put(content, "playbooks/tune-a-piano.yaml", titled(PLAYBOOK, "Tune a piano"))
    put(content, f"playbooks/{BOOK}.yaml", PLAYBOOK.replace("updated:", f"{EVIDENCE}updated:"))
    text = "\n".join(lines(before, _built(content, tmp_path / "after")))
    assert "- /playbooks/tune-a-piano/" in text
    assert f"- /playbooks/{BOOK}/" in text
    assert f"- {BOOK}: reported → corroborated" in text
    assert "- tune-a-piano: not there → reported" in text
    assert "/docs/checks/" not in text, "a page that says the same is none of the change"
    assert len(text.splitlines()) < 3 * (SHOWN + 6) + 10


def _step() -> dict[str, Any]:
    workflow: dict[str, Any] = YAML(typ="safe").load((PROJECT / ".github/workflows/content-comment.yml").read_text())
    (step,) = workflow["jobs"]["comment"]["steps"]
    return dict(step)


def _commented(
    folder: Path, number: str, head: str = "abc", text: str = "What\n", conclusion: str = "success", preview: str = ""
) -> tuple[int, str, str | None]:
    """Run the step's own script: its exit code, what it told `gh`, and the comment."""
    (folder / "files").mkdir()
    (folder / "files/number").write_text(number)
    (folder / "files/text").write_text(text)
    (folder / "gh").write_text(GH)
    (folder / "gh").chmod(0o755)
    log = folder / "log"
    told = {"GH_LOG": str(log), "GH_FILES": str(folder / "files"), "GH_HEAD": head, "RUN": "1", "SHA": "abc"}
    told |= {"CONCLUSION": conclusion, "ADDRESS": "https://forge.example/run/1", "PREVIEW": preview}
    environment = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "RUNNER_TEMP": str(folder / "temp"), **told}
    (folder / "temp").mkdir()
    done = subprocess.run(
        ["bash", "-e", "-c", _step()["run"]], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    body = Path(f"{log}.body")
    return done.returncode, log.read_text(), body.read_text() if body.exists() else None


def test_the_comment_is_posted_on_the_pull_request_that_was_built(tmp_path: Path) -> None:
    code, told, body = _commented(tmp_path, "12\n", text="1 pages added\n")
    assert code == 0
    assert "pr comment 12 --edit-last" in told
    assert body is not None
    assert body.startswith("<!-- content -->\n### What this changes on the site\n")
    assert "[this run](https://forge.example/run/1)" in body
    assert body.endswith("\n```text\n1 pages added\n\n```\n")
    assert "previews" not in body


def test_what_cannot_be_merged_is_told_with_its_mends(tmp_path: Path) -> None:
    problem = "content/lessons/x.yaml:1:1: error: playbooks: no playbook named 'x' [lessons-name-known-playbooks]"
    code, told, body = _commented(tmp_path, "12", text=f"{problem}\n", conclusion="failure")
    assert (code, "pr comment 12" in told) == (0, True)
    assert body is not None
    assert "### This cannot be merged yet\n" in body
    assert f"\n```text\n{problem}\n" in body


def test_a_host_that_deploys_previews_is_named(tmp_path: Path) -> None:
    _, _, body = _commented(tmp_path, "12", preview="https://deploy-preview-{number}--ours.example/")
    assert body is not None
    assert "https://deploy-preview-12--ours.example/\n" in body


@pytest.mark.parametrize("conclusion", ["success", "failure"])
def test_what_a_pull_request_says_stays_in_its_fence_and_runs_nothing(tmp_path: Path, conclusion: str) -> None:
    hostile = "```\n# big\n$(touch ran) `touch ran` @everyone ![x](https://evil.example)\x1b[31m\n~~~\n</pre>\n"
    code, _, body = _commented(tmp_path, "12", text=hostile, conclusion=conclusion)
    assert code == 0
    assert body is not None
    head, fenced = body.split("\n```text\n")
    assert fenced.count("```") == 1
    assert fenced.endswith("\n```\n")
    assert "evil" not in head
    assert "\x1b" not in body
    assert not list(tmp_path.rglob("ran"))


@pytest.mark.parametrize("number", ["", "0", "x", "1; touch ran", "--repo=other/one", "../1", "123456789012345678901"])
def test_what_is_no_number_is_no_pull_request(tmp_path: Path, number: str) -> None:
    code, told, body = _commented(tmp_path, number)
    assert code == 1
    assert "pr comment" not in told
    assert body is None
    assert not list(tmp_path.rglob("ran"))


def test_another_pull_request_than_the_one_that_was_built_gets_none(tmp_path: Path) -> None:
    code, _, body = _commented(tmp_path, "13", head="another")
    assert (code, body) == (0, None)


def test_a_comment_has_a_bounded_length(tmp_path: Path) -> None:
    _, _, body = _commented(tmp_path, "12", text="x" * 200_000)
    assert body is not None
    assert len(body) < 65_536


def test_what_runs_the_code_of_a_pull_request_may_write_nothing_and_what_may_write_runs_none() -> None:
    read = YAML(typ="safe").load
    builds = read((PROJECT / ".github/workflows/content.yml").read_text())
    assert builds["permissions"] == {"contents": "read"}
    assert "permissions" not in builds["jobs"]["content"]
    assert "pull_request_target" not in builds["on"]
    assert "secrets." not in (PROJECT / ".github/workflows/content.yml").read_text()
    posts = read((PROJECT / ".github/workflows/content-comment.yml").read_text())
    assert list(posts["on"]) == ["workflow_run"]
    assert not any("uses" in step for step in posts["jobs"]["comment"]["steps"])


def test_the_forms_for_issues_are_whole() -> None:
    forms = sorted((PROJECT / ".github/ISSUE_TEMPLATE").glob("*-*.yml"))
    assert len(forms) == 3
    for path in forms:
        form = YAML(typ="safe").load(path.read_text())
        assert form["name"]
        assert form["description"]
        kinds = {part["type"] for part in form["body"]}
        assert kinds <= {"markdown", "input", "textarea", "dropdown", "checkboxes"}
        names = [part["id"] for part in form["body"] if part["type"] != "markdown"]
        assert len(names) == len(set(names)) > 0
        assert all(part["attributes"].get("label") for part in form["body"] if part["type"] != "markdown")


def test_the_form_for_a_run_offers_the_outcomes_of_the_vocabulary() -> None:
    form = YAML(typ="safe").load((PROJECT / ".github/ISSUE_TEMPLATE/report-a-run.yml").read_text())
    outcomes = next(part for part in form["body"] if part.get("id") == "outcome")
    assert outcomes["attributes"]["options"] == ["worked", "worked_with_changes", "failed"]
