"""The browser's own search in release builds: what it holds, that it follows the pages, and what stops it."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import Any

import orjson
import pagefind_bin_extended
import pytest
from click.testing import CliRunner

import cli
from build.output.pagefind import PagefindFailed, write_pagefind
from build.pipeline import Resident
from build.settings import BuildSettings
from tests.builders import BOOK, TODAY
from tests.rich import write_rich_content
from tests.trees import built, lasting, tree


def kept(site: Path) -> dict[str, dict[str, Any]]:
    """What Pagefind keeps of each page, by its path."""
    found = {}
    for path in (site / "pagefind/fragment").iterdir():
        raw = gzip.decompress(path.read_bytes())
        page = orjson.loads(raw[raw.index(b"{") :])
        found[page["url"]] = page
    return found


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rich library as a release; tests only read it."""
    folder = tmp_path_factory.mktemp("release")
    built(write_rich_content(folder), folder / "site", release=True)
    return folder / "site"


@pytest.mark.slow
def test_records_are_found_and_nothing_else(release: Path) -> None:
    pages = kept(release)
    assert {path.split("/")[1] for path in pages} == {"playbooks", "lessons", "agents", "tasks"}
    assert "/playbooks/gone/" not in pages
    assert "/playbooks/old-flaky/" not in pages
    assert {f"/playbooks/{BOOK}/", "/playbooks/older/", "/agents/cursor/", "/tasks/nobody-yet/"} <= pages.keys()


@pytest.mark.slow
def test_a_page_is_kept_with_what_a_result_shows(release: Path) -> None:
    pages = kept(release)
    book = pages[f"/playbooks/{BOOK}/"]
    assert book["meta"] == {
        "type": "playbook",
        "slug": BOOK,
        "title": "Fix flaky tests",
        "summary": "Find the cause of a flaky test, remove it.",
        "trust": "tested",
        "category": "software",
    }
    assert book["filters"] == {
        "type": ["playbook"],
        "trust": ["tested"],
        "category": ["software"],
        "agent": ["claude-code", "cursor"],
    }
    assert pages["/playbooks/older/"]["meta"]["status"] == "deprecated"
    assert pages["/tasks/nobody-yet/"]["meta"]["title"] == "Tune a piano"


@pytest.mark.slow
def test_only_the_main_content_is_searched(release: Path) -> None:
    text = kept(release)[f"/playbooks/{BOOK}/"]["content"]
    assert "Find out why the tests in" in text
    assert "Reproduce it" in text
    for other in ("Write tests for old code", "Skip to the content", "On this page", "Author 1", "takedowns"):
        assert other not in text


def test_the_ready_made_search_boxes_are_left_out(release: Path) -> None:
    names = {path.name for path in (release / "pagefind").iterdir() if path.suffix in (".js", ".css", ".json")}
    assert names == {"pagefind.js", "pagefind-worker.js", "pagefind-entry.json"}


@pytest.mark.slow
def test_two_releases_are_the_same_but_for_the_order_of_filters(content: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        built(content, tmp_path / name, release=True)
    assert lasting(tmp_path / "one") == lasting(tmp_path / "two")
    built(content, tmp_path / "plain")
    assert not (tmp_path / "plain/pagefind").exists()


@pytest.mark.slow
def test_it_follows_the_pages_and_only_them(content: Path, tmp_path: Path) -> None:
    resident = Resident()
    told = BuildSettings(content, tmp_path / "site", TODAY, jobs=1, release=True, durable=False)
    resident.build(told)
    before = {name: path.stat().st_mtime_ns for name, path in _files(tmp_path / "site")}
    assert resident.build(told).written == 0
    assert {name: path.stat().st_mtime_ns for name, path in _files(tmp_path / "site")} == before
    path = content / "playbooks/write-tests.yaml"
    path.write_text(path.read_text().replace("Write tests for old code", "Zymurgy for old code"))
    (content / "playbooks/older.yaml").unlink()
    assert resident.build(told).edit
    pages = kept(tmp_path / "site")
    assert pages["/playbooks/write-tests/"]["meta"]["title"] == "Zymurgy for old code"
    assert "/playbooks/older/" not in pages
    built(content, tmp_path / "cold", release=True)
    assert lasting(tmp_path / "site") == lasting(tmp_path / "cold")
    built(content, tmp_path / "site")
    assert not (tmp_path / "site/pagefind").exists()


def _files(site: Path) -> list[tuple[str, Path]]:
    return [(str(path.relative_to(site)), path) for path in sorted((site / "pagefind").rglob("*")) if path.is_file()]


@pytest.mark.slow
def test_settings_lying_about_change_nothing(
    content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: Path
) -> None:
    (tmp_path / "pagefind.toml").write_text('root_selector = "nav"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAGEFIND_ROOT_SELECTOR", "nav")
    built(content, tmp_path / "site", release=True)
    assert lasting(tmp_path / "site") == lasting(release)


def a_program(folder: Path, script: str) -> Path:
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.mark.slow
def test_a_release_without_pagefind_is_one_sentence(
    content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(content, tmp_path / "site")
    before = tree(tmp_path / "site")
    monkeypatch.setitem(sys.modules, "pagefind_bin_extended", None)
    command = ["build", "--content", str(content), "--out", str(tmp_path / "site"), "--today", "2026-11-20"]
    result = CliRunner().invoke(cli.main, [*command, "--release"])
    assert result.exit_code == 2
    assert "pip install 'playbook-library[release]' (in a checkout: make setup)" in result.output
    assert "Traceback" not in result.output
    assert tree(tmp_path / "site") == before
    assert CliRunner().invoke(cli.main, command).exit_code == 0


@pytest.mark.slow
def test_what_it_says_is_shown_only_when_it_fails(
    content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        pagefind_bin_extended, "get_executable", lambda: a_program(tmp_path, "echo no room left >&2; exit 3")
    )
    with pytest.raises(PagefindFailed, match=r"(?s)exit code 3.*no room left"):
        built(content, tmp_path / "site", release=True)
    assert not (tmp_path / "site").exists()


@pytest.mark.slow
def test_one_that_hangs_is_stopped(content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built(content, tmp_path / "site")
    monkeypatch.setattr(pagefind_bin_extended, "get_executable", lambda: a_program(tmp_path, "exec sleep 60"))
    folder = (tmp_path / "site").resolve().parent
    with pytest.raises(PagefindFailed, match=r"stopped after 0\.2 seconds"):
        write_pagefind(folder, served=True, seconds=0.2)
    assert not (folder / "pagefind.new").exists()
