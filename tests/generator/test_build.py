"""A build is deterministic and always whole, and nothing that goes wrong leaves a half site."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from build.output.generations import manifest_of
from build.output.writer import Artifact, UnsafePath, write
from build.pipeline import Resident
from build.reading import Sources
from build.settings import BuildSettings
from library.problems import ContentError, UsageError
from tests.builders import BOOK, PLAYBOOK, TODAY, put, write_content
from tests.rich import write_rich_content
from tests.trees import built, differences, tree


@pytest.mark.slow
def test_two_builds_are_the_same_whatever_the_jobs(content: Path, tmp_path: Path) -> None:
    for number in range(150):
        put(
            content,
            f"playbooks/more-{number}.yaml",
            PLAYBOOK.replace("title: Fix flaky tests", f"title: Number {number}"),
        )
    built(content, tmp_path / "one", jobs=1)
    built(content, tmp_path / "two", jobs=2)
    built(content, tmp_path / "five", jobs=5)
    assert differences(tmp_path / "one", tmp_path / "two") == []
    assert differences(tmp_path / "one", tmp_path / "five") == []


@pytest.mark.slow
def test_every_build_is_a_whole_one_and_leaves_its_manifest(content: Path, tmp_path: Path) -> None:
    first = built(content, tmp_path / "site")
    whole = tree(tmp_path / "site")
    (tmp_path / "site/index.html").unlink()
    again = built(content, tmp_path / "site")
    assert (first.edit, again.edit) == (False, False)
    assert first.files == again.files == len(whole)
    assert first.written == again.written == len(whole) - 1  # of what is rendered
    assert tree(tmp_path / "site") == whole
    manifest = manifest_of((tmp_path / "site").resolve().parent)
    assert manifest
    assert manifest == {name: hashlib.sha256(body).hexdigest() for name, body in tree(content).items()}


@pytest.mark.slow
def test_a_site_at_another_address_names_that_one(content: Path, tmp_path: Path) -> None:
    built(content, tmp_path / "site", site_url="https://elsewhere.example/sub")
    page = (tmp_path / f"site/playbooks/{BOOK}/index.html").read_text()
    assert "https://playbooks.example" not in page.replace("https://playbooks.example/docs", "")
    assert 'href="/sub/playbooks/' in page


@pytest.mark.slow
def test_problems_leave_the_site_as_it_was(content: Path, tmp_path: Path) -> None:
    built(content, tmp_path / "site")
    before = tree(tmp_path / "site")
    put(content, f"playbooks/{BOOK}.yaml", "title: [\n")
    put(content, "tasks/write-tests.yaml", "name: x\n")
    with pytest.raises(ContentError) as caught:
        built(content, tmp_path / "site")
    assert {problem.file for problem in caught.value.problems} >= {f"playbooks/{BOOK}.yaml", "tasks/write-tests.yaml"}
    assert tree(tmp_path / "site") == before


@pytest.mark.slow
def test_pending_reports_flow_in(content: Path, tmp_path: Path) -> None:
    built(content, tmp_path / "site", pending={BOOK: 3})
    assert b'"pending":3' in (tmp_path / f"site/api/v1/playbooks/{BOOK}.json").read_bytes()
    assert b'"pending":3' in (tmp_path / "site/api/v1/stats.json").read_bytes()


@pytest.mark.slow
def test_only_two_generations_stay(content: Path, tmp_path: Path) -> None:
    for _ in range(4):
        built(content, tmp_path / "site")
    assert sorted(path.name for path in (tmp_path / ".site").iterdir() if path.name.isdigit()) == ["3", "4"]


@pytest.mark.slow
def test_a_release_holds_every_playbook_whole(content: Path, tmp_path: Path) -> None:
    built(content, tmp_path / "site", release=True)
    full = orjson.loads((tmp_path / "site/api/v1/playbooks/full.json").read_bytes())
    assert full["total"] == len(full["items"]) == 4
    for item in full["items"]:
        assert item == orjson.loads((tmp_path / f"site/api/v1/playbooks/{item['slug']}.json").read_bytes())


def test_a_folder_that_is_not_ours_is_refused(content: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("dear")
    with pytest.raises(UsageError):
        built(content, tmp_path / "mine")
    assert (tmp_path / "mine/letter.txt").read_text() == "dear"


def test_folders_that_only_look_like_ours_are_refused(content: Path, tmp_path: Path) -> None:
    (tmp_path / ".photos/2024").mkdir(parents=True)
    (tmp_path / ".photos/2024/precious.jpg").write_text("p")
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for name in ("photos", "link"):
        with pytest.raises(UsageError):
            built(content, tmp_path / name)
    assert (tmp_path / ".photos/2024/precious.jpg").read_text() == "p"
    assert (tmp_path / "link").readlink() == Path("real")


@pytest.mark.slow
def test_a_library_without_a_playbook_builds(tmp_path: Path) -> None:
    content = write_content(tmp_path, {"playbooks/fix-flaky-tests.yaml": None, "tasks/fix-flaky-tests.yaml": None})
    (content / "agents/claude-code.yaml").unlink()
    assert built(content, tmp_path / "site").playbooks == 0


@pytest.mark.slow
def test_two_builds_at_once_do_not_meet(content: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "cli",
        "build",
        "--content",
        str(content),
        "--out",
        str(tmp_path / "site"),
        "--today",
        str(TODAY),
    ]
    runs = [
        subprocess.Popen([*command, "--release"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(3)
    ]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    for run in runs:
        run.communicate()
    built(content, tmp_path / "cold", release=True)
    assert tree(tmp_path / "site") == tree(tmp_path / "cold")


@pytest.mark.slow
def test_no_two_units_want_one_path(tmp_path: Path) -> None:
    """On any file system: paths that differ by case are one, and so are a file and a folder of one name."""
    content = write_rich_content(tmp_path)
    resident = Resident(Sources(content))
    resident.build(BuildSettings(content, tmp_path / "site", TODAY, jobs=1, durable=False))
    assert resident.site
    claims = [path.casefold() for unit in resident.site.reads for path in unit.files]
    folders = {str(folder) for path in claims for folder in Path(path).parents}
    assert len(claims) == len(set(claims)) > 150
    assert not folders & set(claims)


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "a//b", "", ".", "a/.", "a\\b", "a\nb", "..", "a/\0"])
def test_no_artifact_leaves_the_output(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnsafePath):
        write(tmp_path, Artifact(name, b"x"))
    assert list(tmp_path.iterdir()) == []
