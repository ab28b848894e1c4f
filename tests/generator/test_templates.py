"""Templates are Jinja's own: what is missing is an error, and what is there is escaped."""

from __future__ import annotations

from pathlib import Path

import pytest

from build.pipeline import build
from build.settings import BuildSettings
from build.views.rendering import RenderEnvironment, ThemeBroken
from tests.builders import TODAY, put, the_site, write_content


def said(folder: Path, page: str) -> str:
    """What a page of a theme says."""
    put(folder / "theme", "page.html", page)
    return RenderEnvironment(the_site(), theme=folder / "theme").page("page.html", name="<ann>").decode()


def test_what_is_missing_is_an_error_and_what_is_there_is_escaped(tmp_path: Path) -> None:
    assert said(tmp_path, "Hello {{ name }}") == "Hello &lt;ann&gt;"
    for page in ("{{ nothing }}", "{{ name.nothing }}{{ name.nothing.more }}"):
        with pytest.raises(ThemeBroken, match="nothing"):
            said(tmp_path, page)


def test_templates_are_compiled_once_a_process(tmp_path: Path) -> None:
    one, other = (RenderEnvironment(the_site(), theme=tmp_path).environment.get_template("404.html") for _ in "ab")
    assert one is not other
    assert one.root_render_func.__code__ is other.root_render_func.__code__


def test_a_template_that_was_edited_is_compiled_anew(tmp_path: Path) -> None:
    assert said(tmp_path, "Hello {{ name }}") == "Hello &lt;ann&gt;"
    assert said(tmp_path, "Howdy {{ name }}") == "Howdy &lt;ann&gt;"
    assert said(tmp_path, "Hello {{ name }}") == "Hello &lt;ann&gt;"


@pytest.mark.slow
def test_a_template_may_take_an_item_for_an_attribute(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    put(tmp_path / "theme", "404.html", '{% set words = {"gone": "Nothing <is> here"} %}{{ words.gone }}')
    build(BuildSettings(content, tmp_path / "site", TODAY, jobs=1, durable=False))
    assert (tmp_path / "site/404.html").read_text() == "Nothing &lt;is&gt; here"
