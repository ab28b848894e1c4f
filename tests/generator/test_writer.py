"""Files reach the site whole, take their precompressed forms with them, and never lie outside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from build.output.compress import compress
from build.output.generations import Generations
from build.output.writer import Artifact, UnsafePath, remove, write
from tests.trees import tree


def beside(public: Path) -> list[str]:
    return sorted(str(path.relative_to(public)) for path in public.rglob("*") if path.is_file())


def with_forms(public: Path, name: str, body: bytes = b"old") -> None:
    write(public, Artifact(name, body))
    for suffix in (".gz", ".br"):
        (public / f"{name}{suffix}").write_bytes(b"old, and small")


@pytest.mark.parametrize("name", ["index.html", "api/v1/playbooks.json"])
def test_a_served_file_that_changes_leaves_no_form_of_what_it_was(tmp_path: Path, name: str) -> None:
    with_forms(tmp_path, name)
    with_forms(tmp_path, "other.html")
    assert write(tmp_path, Artifact(name, b"new"))
    assert not write(tmp_path, Artifact("other.html", b"old"))
    assert (tmp_path / name).read_bytes() == b"new"
    assert beside(tmp_path) == sorted([name, "other.html", "other.html.br", "other.html.gz"])


def test_a_file_that_goes_takes_its_forms_and_its_empty_folders(tmp_path: Path) -> None:
    with_forms(tmp_path, "a/b/c/index.html")
    with_forms(tmp_path, "a/kept.html")
    remove(tmp_path, ["a/b/c/index.html", "a/never/was.html"])
    assert beside(tmp_path) == ["a/kept.html", "a/kept.html.br", "a/kept.html.gz"]
    assert not (tmp_path / "a" / "b").exists()


def test_the_last_file_leaves_the_site_itself_and_what_lies_above_it(tmp_path: Path) -> None:
    public = tmp_path / "public"
    write(public, Artifact("only.html", b"x"))
    remove(public, ["only.html"])
    assert public.is_dir()


@pytest.mark.parametrize("name", ["/etc/x", "../x", "a/../x", "a//x", "", ".", "..", "a/.", "a/..", "a b", "a\nb", "ä"])
def test_nothing_is_written_or_removed_outside(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnsafePath, match="is not one that the build writes"):
        write(tmp_path, Artifact(name, b"x"))
    with pytest.raises(UnsafePath):
        remove(tmp_path, [name])
    assert list(tmp_path.iterdir()) == []


def test_what_is_worth_it_gets_both_forms_once(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    generations = Generations(tmp_path / "site", tmp_path / "content")
    with generations.alone():
        folder = generations.fresh()
        sizes = {
            "large.html": 1024,
            "small.html": 1023,
            "large.png": 4096,
            "deep/large.json": 5000,
            ".hidden.html": 4096,
        }
        for name, size in sizes.items():
            path = folder / "public" / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"x" * size)
        generations.publish(folder)
    assert compress(tmp_path / "site", tmp_path / "content", 1) == 2
    forms = {f"{name}{suffix}" for name in ("large.html", "deep/large.json") for suffix in (".gz", ".br")}
    assert tree(tmp_path / "site").keys() == {*sizes, *forms}
    (tmp_path / "site" / "large.html.br").unlink()
    assert compress(tmp_path / "site", tmp_path / "content", 1) == 1
    assert tree(tmp_path / "site").keys() == {*sizes, *forms}


def test_two_generations_are_kept_and_older_ones_go(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    generations = Generations(tmp_path / "site", tmp_path / "content")
    assert generations.current is None
    with generations.alone():
        for _ in range(12):
            generations.publish(generations.fresh())
        left_behind = generations.fresh()
    assert generations.current == generations.store / "12"
    assert left_behind == generations.store / "13"
    generations.drop_unpublished()
    assert sorted(path.name for path in generations.store.iterdir() if path.is_dir()) == ["11", "12"]
