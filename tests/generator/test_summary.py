"""What a build says of itself in the end."""

from __future__ import annotations

from pathlib import Path

from build.commands import summary_lines
from build.settings import BuildReport
from library.problems import Problem, Severity

OUT = Path("site")
WARNING = Problem("tasks/a.yaml", (), "c", "m", Severity.WARNING)


def test_a_build_says_how_much_it_wrote_and_in_what_time() -> None:
    report = BuildReport(playbooks=1200, files=34_567, written=1_000, removed=2, seconds={"read": 1.5, "write": 2})
    assert list(summary_lines(report, OUT, profile=False)) == [
        "site: 1,200 playbooks, 34,567 files; built everything: 1,000 written, 2 removed, 3.50 s"
    ]


def test_one_is_one_and_warnings_are_counted() -> None:
    report = BuildReport(playbooks=1, files=3, edit=True, warnings=[WARNING], seconds={})
    first, second = summary_lines(report, OUT, profile=False)
    assert first == "site: 1 playbook, 3 files; built what changed: 0 written, 0 removed, 0.00 s"
    assert second == "1 warning; `playbooks check` prints them"
    two = BuildReport(playbooks=2, files=3, warnings=[WARNING, WARNING], seconds={})
    assert list(summary_lines(two, OUT, profile=False))[1] == "2 warnings; `playbooks check` prints them"


def test_a_profile_has_a_line_for_each_stage() -> None:
    report = BuildReport(playbooks=1, files=3, seconds={"read": 1.5})
    assert list(summary_lines(report, OUT, profile=True))[1:] == ["  read          1.500 s"]


def test_a_build_that_did_nothing_counts_nothing() -> None:
    assert list(summary_lines(BuildReport(), OUT, profile=False)) == [
        "site: 0 playbooks, 0 files; built everything: 0 written, 0 removed, 0.00 s"
    ]
