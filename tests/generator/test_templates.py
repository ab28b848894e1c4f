"""Templates are Jinja's own: what is missing is an error, and what was compiled is used again while the code is."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment

from build.pipeline import BuildSettings, build
from build.views.rendering import RenderEnvironment
from build.views.theme import ThemeBroken
from tests.builders import TODAY, put, the_site, write_content


def said(folder: Path, page: str) -> str:
    """What a page of a theme says, by an environment that keeps what it compiled."""
    put(folder / "theme", "page.html", page)
    return (
        RenderEnvironment(the_site(), theme=folder / "theme", compiled=folder / "kept")
        .page("page.html", name="<ann>")
        .decode()
    )


def test_what_is_missing_is_an_error_and_what_is_there_is_escaped(tmp_path: Path) -> None:
    assert said(tmp_path, "Hello {{ name }}") == "Hello &lt;ann&gt;"
    for page in ("{{ nothing }}", "{{ name.nothing }}{{ name.nothing.more }}"):
        with pytest.raises(ThemeBroken, match="nothing"):
            said(tmp_path, page)


def test_a_compiled_template_is_not_compiled_again_and_another_source_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(tmp_path, "Hello {{ name }}") == "Hello &lt;ann&gt;"
    assert said(tmp_path, "Bye {{ name }}") == "Bye &lt;ann&gt;"
    monkeypatch.setattr(Environment, "_compile", None)
    assert said(tmp_path, "Bye {{ name }}") == "Bye &lt;ann&gt;"


@pytest.mark.parametrize("left", [b"", b"j2", b"damaged" * 50])
def test_damaged_code_is_compiled_anew(tmp_path: Path, left: bytes) -> None:
    said(tmp_path, "Hello {{ name }}")
    for file in (tmp_path / "kept").iterdir():
        file.write_bytes(left)
    assert said(tmp_path, "Hello {{ name }}") == "Hello &lt;ann&gt;"


def test_code_that_was_compiled_by_another_version_goes(tmp_path: Path) -> None:
    put(tmp_path / "kept", "of-another-version", "x")
    said(tmp_path, "Hello {{ name }}")
    assert [file.name for file in (tmp_path / "kept").iterdir() if "another" in file.name] == []


@pytest.mark.slow
def test_a_template_may_take_an_item_for_an_attribute(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    put(tmp_path / "theme", "404.html", '{% set words = {"gone": "Nothing <is> here"} %}{{ words.gone }}')
    build(BuildSettings(content, tmp_path / "site", TODAY, jobs=1, durable=False))
    assert (tmp_path / "site/404.html").read_text() == "Nothing &lt;is&gt; here"
