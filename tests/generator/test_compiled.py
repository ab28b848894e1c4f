"""Compiled templates are used again, and never where they are damaged or of another source."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader

from build.compiled import Compiled


def said(folder: Path, kept: Path) -> str:
    environment = Environment(loader=FileSystemLoader(folder), autoescape=True, bytecode_cache=Compiled(kept))
    return environment.get_template("page.html").render(name="ann")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "page.html").write_text("Hello {{ name }}")
    return tmp_path


def test_a_compiled_template_is_not_compiled_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(folder, folder / "kept") == "Hello ann"
    monkeypatch.setattr(Environment, "_compile", None)
    assert said(folder, folder / "kept") == "Hello ann"


def test_another_source_is_compiled(folder: Path) -> None:
    said(folder, folder / "kept")
    (folder / "page.html").write_text("Bye {{ name }}")
    assert said(folder, folder / "kept") == "Bye ann"


@pytest.mark.parametrize("place", [0, 40, 60, -1])
def test_damaged_code_is_compiled_anew_and_kept_whole(folder: Path, place: int) -> None:
    said(folder, folder / "kept")
    (file,) = (folder / "kept").iterdir()
    whole = file.read_bytes()
    damaged = bytearray(whole)
    damaged[place] ^= 1
    file.write_bytes(damaged)
    assert said(folder, folder / "kept") == "Hello ann"
    assert file.read_bytes() == whole
    file.write_bytes(b"")
    assert said(folder, folder / "kept") == "Hello ann"
