"""`playbooks init`: a library of one's own in any empty folder, which every other command then works in."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from library.records.schemas import FOLDER, KINDS
from tests.builders import TODAY
from tests.cli.test_commands import run

PROJECT = Path(__file__).resolve().parents[2]
DAY = ("--today", TODAY.isoformat())
ODD = "mein Büch 书 'x' $HOME"


def installed(folder: Path) -> Path:
    """What a wheel installs, and nothing else of the checkout."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder.with_name("wheel"))]
    subprocess.run(command, cwd=PROJECT, capture_output=True, check=True)
    [wheel] = folder.with_name("wheel").iterdir()
    with zipfile.ZipFile(wheel) as held:
        held.extractall(folder)
    return folder


def shell(package: Path, where: Path, *arguments: str) -> str:
    """A command of an installed package, run in a folder: what it says. It must end well."""
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "playbook_library", *arguments],
        cwd=where,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


@pytest.mark.slow
def test_a_plain_install_starts_a_library_and_every_command_works_in_it(tmp_path: Path) -> None:
    package = installed(tmp_path / "installed")
    home = tmp_path / ODD
    assert "a library with one example" in shell(package, tmp_path, "init", ODD, *DAY)
    assert shell(package, home, "fmt", "--check") == ""
    assert shell(package, home, "check", "--strict", *DAY) == ""
    given = ["--title", "It hangs", "--problem", "It waits for a key.", "--fix", "Give it `--yes`."]
    shell(package, home, "new", "lesson", *given, "--playbooks", "list-largest-files", *DAY)
    assert shell(package, home, "check", "--strict", *DAY) == ""
    assert "1 playbook, " in shell(package, home, "build", *DAY)
    page = (home / "site/playbooks/list-largest-files/index.html").read_text()
    assert "an example" in page
    assert (home / "site/docs/contributing/index.html").is_file()
    assert "list-largest-files" in shell(package, home, "search", "largest", "files")
    assert "lessons" in shell(package, home, "stats", *DAY)


@pytest.mark.slow
def test_what_it_holds(tmp_path: Path) -> None:
    home = tmp_path / "home"
    result = run("init", home, "--title", "Ours: all of it", "--site-url", "https://ours.example/lib", *DAY)
    assert result.exit_code == 0, result.output
    text = (home / "content/site.yaml").read_text()
    assert 'title: "Ours: all of it"\n' in text
    assert "site_url: https://ours.example/lib\n" in text
    assert "contact: https://ours.example/lib/docs/takedown/\n" in text
    assert f"updated: {TODAY}\n" in (home / "content/playbooks/list-largest-files.yaml").read_text()
    assert {path.stem for path in (home / FOLDER).iterdir()} == set(KINDS)
    assert "/site\n" in (home / ".gitignore").read_text()
    assert (home / ".vscode/settings.json").is_file()
    assert (home / "README.md").is_file()
    assert (home / ".github/workflows/content-comment.yml").is_file()
    workflow = YAML(typ="safe").load((home / ".github/workflows/content.yml").read_text())
    assert workflow["permissions"] == {"contents": "read"}
    assert all("${{" not in step.get("run", "") for step in workflow["jobs"]["content"]["steps"])
    assert run("check", "--for-merge", "--content", home / "content", *DAY).stdout == ""


def test_the_example_claims_nothing(tmp_path: Path) -> None:
    run("init", tmp_path / "home", *DAY)
    text = (tmp_path / "home/content/playbooks/list-largest-files.yaml").read_text()
    assert "an example" in text
    assert "nobody has tested" in text
    for claim in ("tested:", "evidence:", "references:", "contributors:", "checked:"):
        assert claim not in text


@pytest.mark.slow
@pytest.mark.parametrize("there", ["a file", "a folder with a file", "a hidden file", "below a file"])
def test_a_place_that_is_taken_is_refused_and_left_alone(tmp_path: Path, there: str) -> None:
    home = tmp_path / "home"
    if there in ("a file", "below a file"):
        home.write_text("mine")
    else:
        home.mkdir()
        (home / (".hidden" if "hidden" in there else "file")).write_text("mine")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    result = run("init", home / "inner" if there == "below a file" else home)
    assert result.exit_code in (1, 2)
    assert "Traceback" not in result.output
    assert result.output.startswith(("Error", "Usage"))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_a_place_that_cannot_be_written_is_one_sentence() -> None:
    result = run("init", "/proc/library")
    assert result.exit_code == 1
    assert "Error: /proc/library" in result.output


@pytest.mark.parametrize("given", [("--site-url", "foo"), ("--title", "a\nb"), ("--site-url", "https://x.example/?q")])
def test_settings_that_do_not_fit_are_refused_before_anything_is_written(
    tmp_path: Path, given: tuple[str, str]
) -> None:
    assert run("init", tmp_path / "home", *given).exit_code == 2
    assert not (tmp_path / "home").exists()


@pytest.mark.slow
def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    assert run("init", tmp_path, *DAY).exit_code == 0
