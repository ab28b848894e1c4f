"""The commands `backup` and `restore`: one file with a name that says when, and refusals in one sentence."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import cli
from tests.cli.test_contributors import add, no_settings, run, the_store, var

__all__ = ["no_settings", "var"]  # fixtures


def test_a_queue_goes_through_a_backup(var: Path, tmp_path: Path) -> None:
    add(var, runs=2)
    folder = tmp_path / "backups"
    folder.mkdir()
    done = run(var, "backup", folder)
    (file,) = folder.iterdir()
    assert re.fullmatch(r"playbooks-\d{8}T\d{6}Z\.backup", file.name)
    assert done.output.startswith(f"{file}: schema 0")
    assert "2 runs" in done.output
    assert "(checked, " in done.output
    other = tmp_path / "other"
    assert "restored schema 0" in run(other, "restore", file).output
    with the_store(other) as store:
        assert store.run("run_1") is not None


@pytest.mark.parametrize("body", [b"hello\n", None])
def test_a_damaged_queue_is_called_so(var: Path, tmp_path: Path, body: bytes | None) -> None:
    add(var, runs=1)
    queue = var / "queue.db"
    queue.write_bytes(body or queue.read_bytes()[:4096] + bytes([7]) * 60_000)
    for left in var.glob("queue.db-*"):
        left.unlink()
    refused = run(var, "backup", tmp_path / "one")
    assert (refused.exit_code, refused.output) == (
        1,
        "Error: The file of the database is damaged, or is none: `playbooks restore --force` brings a backup back.\n",
    )


@pytest.mark.slow
def test_a_folder_that_is_meant_is_made(var: Path, tmp_path: Path) -> None:
    add(var)
    for _ in range(2):
        assert run(var, "backup", f"{tmp_path}/new/backups/").exit_code == 0
        time.sleep(1.1)  # names are of a second
    assert len(list((tmp_path / "new/backups").iterdir())) == 2
    assert (tmp_path / "new/backups").stat().st_mode & 0o077 == 0


def test_a_queue_that_holds_something_is_kept(var: Path, tmp_path: Path) -> None:
    add(var, runs=1)
    run(var, "backup", tmp_path / "one")
    refused = run(var, "restore", tmp_path / "one")
    assert refused.exit_code == 1
    assert "--force replaces them" in refused.output
    assert run(var, "restore", tmp_path / "one", "--force").exit_code == 0


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_what_cannot_be_is_one_sentence(var: Path, tmp_path: Path, command: str) -> None:
    with the_store(var):
        pass
    (tmp_path / "one").write_text("this is no backup")
    refused = run(var, command, tmp_path / "one")
    assert refused.exit_code == 1
    assert refused.output.count("\n") == 1
    assert refused.output.startswith("Error: ")


def test_without_a_queue_there_is_no_backup(var: Path, tmp_path: Path) -> None:
    refused = run(var, "backup", tmp_path / "one")
    assert refused.exit_code == 2
    assert f"Error: there is no queue at {var / 'queue.db'}: " in refused.output
    assert "--var says where it is kept" in refused.output
    assert not (tmp_path / "one").exists()
    assert not var.exists(), "nothing is made by asking for a copy"


def test_the_folder_of_the_queue_may_be_said_by_the_environment(
    var: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(var, runs=3)
    monkeypatch.setenv("PLAYBOOKS_VAR", str(var))
    done = CliRunner().invoke(cli.main, ["backup", str(tmp_path / "one")])
    assert "3 runs" in done.output, "an operator who named another folder backs that one up"


def test_a_restore_that_is_refused_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("this is no backup")
    refused = run(tmp_path / "new", "restore", tmp_path / "one")
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
    assert not (tmp_path / "new").exists()
