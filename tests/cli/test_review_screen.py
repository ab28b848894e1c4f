"""`playbooks review screen`: its lines and counts, following the queue, and what happens when something is away."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cli
from server.review import line_of
from tests.builders import write_content
from tests.waiting import until
from tests.writeapi.store.builders import a_run, a_store, a_submission, an_id, count, rows, sqlite_url
from writeapi.review.screening.screen import Screened
from writeapi.store import Store
from writeapi.store.records import Finding, Review

PROJECT = Path(__file__).resolve().parents[2]
FINE = '{"advice": "accept"}'


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands read the environment; that of whoever runs the tests is not meant."""
    for name in ("PLAYBOOKS_DATABASE_URL", "PLAYBOOKS_LIMITS_URL", "WEB_CONCURRENCY", "PLAYBOOKS_REVIEWER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_content(tmp_path)


@pytest.fixture
def url(tmp_path: Path) -> str:
    (tmp_path / "var").mkdir()
    return sqlite_url(tmp_path / "var/queue.db")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = a_store(url)
    made.migrate()
    yield made
    made.close()


def places(content: Path) -> list[str]:
    folder = content.parent
    return ["--content", str(content), "--var", str(folder / "var")]


def screened(content: Path, *arguments: str) -> Result:
    result = CliRunner().invoke(cli.main, ["review", "screen", *places(content), *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def a_script(folder: Path, body: str) -> str:
    """The command of an outside reviewer, as the environment names it."""
    script = folder / "reviewer.py"
    script.write_text(f"import os, sys, time\n{body}\n", encoding="utf-8")
    return f"'{sys.executable}' '{script}'"


def test_an_empty_queue_is_a_count_of_nothing(content: Path, store: Store) -> None:
    del store
    assert screened(content).output == "screened 0\n"


def test_each_item_is_a_line_and_a_count_ends_it(content: Path, store: Store) -> None:
    store.add(a_run(1), None)
    store.add(a_submission(2, agent="Frobnicator", source_url="https://bit.ly/x"), None)
    store.add(a_run(3, lesson="Write to bob@acme-widgets.dev."), None)
    result = screened(content)
    assert (result.exit_code, result.output.splitlines()) == (0, [
        f"{an_id('run', 1)}  run  accept  -",
        f"{an_id('sub', 2)}  use_case  editor  unknown-agent,address",
        f"{an_id('run', 3)}  run  reject  private-data",
        "screened 3: 1 accept, 1 editor, 1 reject",
    ])  # fmt: skip
    assert screened(content).output == "screened 0\n"


def test_a_limit_is_kept(content: Path, store: Store) -> None:
    for name in range(3):
        store.add(a_run(name), None)
    assert screened(content, "--limit", "2").output.splitlines()[-1] == "screened 2: 2 accept"
    assert len(store.unscreened(9)) == 1


def test_nothing_that_was_sent_reaches_the_terminal(content: Path, store: Store) -> None:
    store.add(a_submission(1, title="\x1b[2Jpwned", body="pwned \x07", agent="pwned\x1b"), None)
    output = screened(content).output
    assert output.replace("\n", "").isprintable()
    assert "pwned" not in output


def test_a_line_holds_nothing_that_a_terminal_would_obey() -> None:
    assert line_of(Screened("run_\x1b[2J", "", None, "gone\x07")) == "run_\\x1b[2J  skipped: gone\\x07"
    review = Review("run_x", 1, "editor", (Finding("\x1b", "", ""), Finding("\x1b", "", "")))
    assert line_of(Screened("run_x", "run", review)) == "run_x  run  editor  \\x1b"


def test_an_outside_reviewer_is_asked(
    content: Path, store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store.add(a_run(1), None)
    monkeypatch.setenv("PLAYBOOKS_REVIEWER", a_script(tmp_path, "sys.stderr.write('no key\\x1b'); sys.exit(1)"))
    result = screened(content)
    assert result.stdout.splitlines()[0] == f"{an_id('run', 1)}  run  editor  reviewer-failed"
    assert result.stderr == "reviewer: no key\\x1b\n"


@pytest.mark.slow
def test_its_time_limit_is_an_option(
    content: Path, store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store.add(a_run(1), None)
    monkeypatch.setenv("PLAYBOOKS_REVIEWER", a_script(tmp_path, "time.sleep(600)"))
    assert "reviewer-failed" in screened(content, "--reviewer-timeout", "0.3").output


def test_a_reviewer_that_cannot_be_found_stops_the_start(
    content: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    del store
    monkeypatch.setenv("PLAYBOOKS_REVIEWER", "no-such-command")
    result = screened(content)
    assert result.exit_code == 2
    assert "PLAYBOOKS_REVIEWER names the command 'no-such-command', which cannot be found" in result.output


def test_content_with_errors_is_said(content: Path, store: Store) -> None:
    store.add(a_run(1), None)
    (content / "categories.yaml").write_text("categories: [\n")
    result = screened(content)
    assert result.exit_code == 1
    assert "categories.yaml:" in result.output
    assert store.unscreened(9) == [an_id("run", 1)]


def test_a_database_that_is_away_is_said(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYBOOKS_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/queue?connect_timeout=1")
    result = screened(content)
    assert result.exit_code == 1
    assert "The database cannot take this now." in result.output


@contextmanager
def process(content: Path, *arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """The command as a process of its own, ended at the end."""
    command = [sys.executable, "-m", "cli", "review", "screen", *places(content), *arguments]
    told = {name: value for name, value in os.environ.items() if not name.startswith("PLAYBOOKS_")}
    running = subprocess.Popen(
        command, cwd=PROJECT, env={**told, "PYTHONUNBUFFERED": "1", **environment}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def wait_until(store: Store, left: int = 0) -> None:
    """Wait until only so many are unscreened."""
    until(lambda: len(store.unscreened(99)) == left, f"{left} unscreened")


@pytest.mark.slow
def test_a_signal_waits_for_the_item_in_hand(content: Path, store: Store, tmp_path: Path) -> None:
    for name in range(3):
        store.add(a_run(name), None)
    note, sent = tmp_path / "began", tmp_path / "sent"
    reviewer = a_script(
        tmp_path,
        f"open({str(note)!r}, 'a').write('x')\n"
        f"while not os.path.exists({str(sent)!r}): time.sleep(0.02)\nprint('{FINE}')",
    )
    with process(content, PLAYBOOKS_REVIEWER=reviewer) as running:
        until(lambda: note.exists() or running.poll() is not None, "the first item")
        running.send_signal(signal.SIGTERM)
        sent.touch()
        out, _ = running.communicate(timeout=60)
    assert (running.returncode, out.splitlines()[-1]) == (0, "screened 1: 1 accept")
    assert len(store.unscreened(9)) == 2


@pytest.mark.slow
def test_killed_in_the_midst_each_item_is_screened_whole_or_not_at_all(
    content: Path, store: Store, tmp_path: Path, url: str
) -> None:
    for name in range(4):
        store.add(a_submission(name, body=f"Job number {name}, told in a few words."), None)
    note = tmp_path / "count"
    killer = a_script(
        tmp_path,
        f"open({str(note)!r}, 'a').write('x')\n"
        f"if os.path.getsize({str(note)!r}) == 3: os.kill(os.getppid(), 9)\nprint('{FINE}')",
    )
    with process(content, PLAYBOOKS_REVIEWER=killer) as running:
        running.communicate(timeout=60)
    assert running.returncode == -signal.SIGKILL
    assert screened_rows(url) == 2
    assert len(store.unscreened(9)) == 2
    assert screened(content).output.splitlines()[-1] == "screened 2: 2 accept"
    assert screened_rows(url) == 4


def screened_rows(url: str) -> int:
    """How many are screened: the same by their states, their reviews and their audit rows."""
    found = {
        count(url, "reviews"),
        rows(url, "SELECT count(*) FROM submissions WHERE state = 'screened' AND version = 2")[0][0],
        rows(url, "SELECT count(*) FROM audit WHERE became = 'screened'")[0][0],
    }
    (same,) = found
    return int(same)
