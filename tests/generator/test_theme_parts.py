"""What a theme changes, part by part, without a build: colours, assets, and where a template is broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment, TemplateError, TemplateNotFound, TemplateSyntaxError

from build.views.rendering import ThemeBroken, asset_files, broken, colours, loader_of
from tests.builders import put, the_site


def test_an_accent_colours_light_and_dark_and_none_writes_nothing() -> None:
    assert colours(the_site()) is None
    assert colours(the_site(accent="#112233")) == b":root { --accent: light-dark(#112233, #112233); }\n"
    both = the_site(accent="#112233", accent_dark="#aabbcc")
    assert colours(both) == b":root { --accent: light-dark(#112233, #aabbcc); }\n"


def test_assets_of_the_theme_come_before_ours_and_only_of_the_kinds_asked_for(tmp_path: Path) -> None:
    ours, theme = tmp_path / "ours", tmp_path / "theme"
    for folder, names in ((ours, ("a.css", "b.css", "c.js")), (theme, ("b.css", "d-1_x.css"))):
        for name in names:
            put(folder, f"assets/{name}", "")
    (theme / "assets" / "folder.css").mkdir()
    found = asset_files(ours, theme, (".css",))
    assert {name: path.parent.parent.name for name, path in found.items()} == {
        "a.css": "ours",
        "b.css": "theme",
        "d-1_x.css": "theme",
    }
    assert set(asset_files(ours, None, (".css", ".js"))) == {"a.css", "b.css", "c.js"}
    assert set(asset_files(ours, tmp_path / "none", (".js",))) == {"c.js"}


@pytest.mark.parametrize("name", ["a b.css", "a.b.css", "ä.css", "-.css"])
def test_an_asset_whose_name_no_address_can_have_is_refused(tmp_path: Path, name: str) -> None:
    put(tmp_path, f"assets/{name}", "")
    with pytest.raises(ThemeBroken, match="rename it"):
        asset_files(tmp_path / "none", tmp_path, (".css",))


def error_of(environment: Environment, name: str) -> Exception:
    """What goes wrong when a template is shown."""
    try:
        environment.get_template(name).render()
    except (TemplateError, ArithmeticError) as error:
        return error
    raise AssertionError


def told(tmp_path: Path, name: str, body: str | bytes, *, whose: str = "theme") -> str | None:
    """What is said of a template of the theme's, or of ours, that does this; None where it is not blamed."""
    for folder in ("ours", "theme"):
        put(tmp_path / folder, "base.html", f"{folder}")
    put(tmp_path / whose, name, body)
    environment = Environment(loader=loader_of(tmp_path / "ours", tmp_path / "theme"), autoescape=True)
    found = broken(error_of(environment, name), tmp_path / "theme")
    return str(found).replace(str(tmp_path), "") if found else None


@pytest.mark.parametrize(
    ("body", "start"),
    [
        ("one\n{% if %}", "/theme/x.html:2: Expected an expression"),
        ("one\n\n{{ 1 // 0 }}", "/theme/x.html:3: ZeroDivisionError: "),
        ("{% include 'none.html' %}", "/theme/x.html:1: there is no template none.html; mend"),
        (b"\xff", "/theme/x.html:1: the file is not UTF-8; mend the template"),
    ],
)
def test_a_broken_template_is_told_at_its_place_with_its_mend(tmp_path: Path, body: str | bytes, start: str) -> None:
    assert (told(tmp_path, "x.html", body) or "").startswith(start)


def test_what_is_no_fault_of_the_theme_is_not_blamed_on_it(tmp_path: Path) -> None:
    assert told(tmp_path, "y.html", "{{ 1 // 0 }}", whose="ours") is None
    assert broken(ValueError("x"), tmp_path) is None
    assert broken(ZeroDivisionError(), None) is None
    assert str(broken(TemplateNotFound("z.html"), None)).startswith("there is no template z.html; mend")
    assert str(broken(TemplateSyntaxError("bad", 7, "n", "dir/n.html"), None)).startswith("dir/n.html:7: bad; mend")
    assert str(broken(TemplateError(), None)).startswith("TemplateError; mend")


def test_the_theme_may_extend_the_template_that_it_replaces(tmp_path: Path) -> None:
    for folder in ("ours", "theme"):
        put(tmp_path / folder, "base.html", f"{folder}")
    both = Environment(loader=loader_of(tmp_path / "ours", tmp_path / "theme"), autoescape=True)
    assert [both.get_template(name).render() for name in ("base.html", "original/base.html")] == ["theme", "ours"]
    alone = Environment(loader=loader_of(tmp_path / "ours", None), autoescape=True)
    assert alone.get_template("base.html").render() == "ours"
    with pytest.raises(TemplateNotFound):
        alone.get_template("original/base.html")
