"""A build that has nothing to do says so before it loads anything, and only then."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from build.pipeline import Settings, build
from build.settings import PROJECT, Report
from build.unchanged import content_stats
from build.unchanged import nothing_to_do as _nothing_to_do
from tests.builders import BOOK, PLAYBOOK, TODAY, write_content


def nothing_to_do(settings: Settings) -> Report | None:
    return _nothing_to_do(settings, content_stats(settings.content))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A small library, built some seconds after its last change."""
    content = write_content(tmp_path / "content", {})
    told = Settings(content, tmp_path / "site", TODAY, jobs=1, clock=lambda: time.time_ns() + 3_000_000_000)
    build(told)
    return told


def test_a_build_without_a_change_is_told_with_its_counts(settings: Settings) -> None:
    whole = build(replace(settings, fresh=True))
    report = nothing_to_do(settings)
    assert report is not None
    assert (report.playbooks, report.files, report.written) == (whole.playbooks, whole.files, 0)


@pytest.mark.slow
def test_the_command_loads_neither_records_nor_templates_then(settings: Settings) -> None:
    code = (
        "import sys; from cli import main\ntry: main()\nexcept SystemExit: pass\n"
        "print(sorted({'pydantic', 'jinja2', 'whoosh', 'numpy', 'flask'} & sys.modules.keys()))"
    )
    command = [sys.executable, "-c", code, "build", f"--content={settings.content}", f"--out={settings.out}"]
    done = subprocess.run([*command, f"--today={TODAY}"], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def _edit(told: Settings) -> None:
    (told.content / f"playbooks/{BOOK}.yaml").write_text(PLAYBOOK + "# another\n", encoding="utf-8")


def _touch(told: Settings) -> None:
    path = told.content / f"playbooks/{BOOK}.yaml"
    os.utime(path, ns=(1, path.stat().st_mtime_ns - 1))


def _link(told: Settings) -> None:
    shutil.move(told.content / "agents", told.content.parent / "agents")
    (told.content / "agents").symlink_to(told.content.parent / "agents")


def _theme(told: Settings) -> None:
    (told.content.parent / "theme").mkdir()
    (told.content.parent / "theme/a.css").touch()


def _spoil(name: str) -> Callable[[Settings], object]:
    return lambda told: (told.out.resolve().parent / name).write_bytes(b"no")


CHANGES: dict[str, Callable[[Settings], object]] = {
    "an edit": _edit,
    "another time stamp": _touch,
    "a new file": lambda told: (told.content / "playbooks/another.yaml").touch(),
    "a file that is no content": lambda told: (told.content / "notes.txt").touch(),
    "a file gone": lambda told: (told.content / f"playbooks/{BOOK}.yaml").unlink(),
    "a folder that is a link": _link,
    "a theme": _theme,
    "a damaged state": _spoil("state"),
    "a damaged note": _spoil("known"),
    "a build that was cut short": _spoil("unfinished"),
    "an index gone": lambda told: (told.out.resolve().parent / "index").unlink(),
    "no site": lambda told: told.out.unlink(),
}


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_another_is_left_to_the_whole_build(settings: Settings, change: str) -> None:
    assert nothing_to_do(settings)
    CHANGES[change](settings)
    assert nothing_to_do(settings) is None


@pytest.mark.slow
def test_another_day_address_count_or_kind_of_build_is_left_to_it_too(settings: Settings) -> None:
    others = [
        {"today": TODAY + timedelta(days=1)},
        {"site_url": "https://other.example"},
        {"pending": {BOOK: 1}},
        {"release": True},
        {"fresh": True},
    ]
    for other in others:
        assert nothing_to_do(replace(settings, **other)) is None  # type: ignore[arg-type]  # fields by their names


@pytest.mark.slow
def test_a_file_that_changed_just_before_the_build_is_read_again(settings: Settings) -> None:
    changed = (settings.content / f"playbooks/{BOOK}.yaml").stat().st_mtime_ns
    build(replace(settings, fresh=True, clock=lambda: changed + 1_000_000_000))
    assert nothing_to_do(settings) is None


@pytest.mark.slow
def test_what_editors_leave_beside_content_is_no_change(settings: Settings) -> None:
    (settings.content / ".swap").touch()
    (settings.content / "playbooks/a.yaml~").touch()
    assert nothing_to_do(settings)
