"""A library's own look: colours and links from `site.yaml`, templates and assets from the folder `theme`."""

from __future__ import annotations

from pathlib import Path

import pytest

from build.pipeline import build
from build.reading import read_site
from build.settings import BuildSettings, theme_beside
from build.views.rendering import RenderEnvironment, ThemeBroken
from library.content.loading import check
from tests.builders import BOOK, SITE, TODAY, put, write_content
from tests.trees import tree

PLAIN = '{% extends "original/base.html" %}'
LOOK = """\
accent: "#7a1f5c"
accent_dark: "#f0a8d8"
links:
  - title: Our blog
    url: https://blog.example/
footer: Run by *us*, <b>really</b>.
"""


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_content(tmp_path)


def built(content: Path) -> Path:
    build(BuildSettings(content, content.parent / "site", TODAY, jobs=1))
    return content.parent / "site"


def themed(content: Path, name: str, body: str | bytes) -> None:
    put(content.parent / "theme", name, body)


@pytest.mark.slow
def test_a_library_without_a_theme_has_none(content: Path) -> None:
    assert theme_beside(content) is None
    page = (built(content) / "index.html").read_text()
    assert "colours." not in page


@pytest.mark.slow
def test_the_site_file_sets_colours_links_and_a_sentence(content: Path) -> None:
    put(content, "site.yaml", SITE + LOOK)
    site = built(content)
    page = (site / f"playbooks/{BOOK}/index.html").read_text()
    (sheet,) = (site / "assets").glob("colours.*.css")
    assert sheet.read_text() == ":root { --accent: light-dark(#7a1f5c, #f0a8d8); }\n"
    assert page.index("/assets/style.") < page.index(f"/assets/{sheet.name}")
    assert '<a href="https://blog.example/">Our blog</a>' in page
    assert "Run by <em>us</em>, &lt;b&gt;really&lt;/b&gt;." in page


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('accent: "#ffee00"\naccent_dark: "#f0a8d8"\n', "accents-can-be-read"),
        ('accent: "#7a1f5c"\naccent_dark: "#222222"\n', "take a lighter one"),
        ('accent: "#7a1f5c"\n', "write accent_dark too"),
        ("accent: red\n", "accent: must be # and six of 0-9 and a-f"),
        ('accent: "#7A1F5C"\n', "accent: must be # and six of 0-9 and a-f, small"),
        ('accent: "#7a1f5c; } body { display: none"\n', "accent: "),
        ("links:\n  - title: x\n    url: javascript:alert(1)\n", "links[0].url"),
    ],
)
def test_a_look_that_nobody_can_use_is_refused(content: Path, line: str, says: str) -> None:
    put(content, "site.yaml", SITE + line)
    assert says in "\n".join(str(problem) for problem in check(content, TODAY)[1])


@pytest.mark.slow
def test_a_template_of_the_theme_takes_the_place_of_ours_and_may_build_on_it(content: Path) -> None:
    themed(content, "base.html", PLAIN + "{% block crumbs %}<p>Ours alone</p>{% endblock %}")
    themed(
        content,
        "404.html",
        '{% extends "base.html" %}{% set title = "Gone" %}{% set description = "" %}'
        '{% set path = "" %}{% block main %}<h1>Nothing is here</h1>{% endblock %}',
    )
    site = built(content)
    assert "<h1>Nothing is here</h1>" in (site / "404.html").read_text()
    assert "<p>Ours alone</p>" in (site / "404.html").read_text()
    assert "Skip to the content" in (site / "404.html").read_text()


@pytest.mark.slow
def test_assets_of_the_theme_take_the_place_of_ours_or_are_added(content: Path) -> None:
    themed(content, "assets/icon.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    themed(content, "assets/more.css", "h1 { color: var(--accent); }")
    themed(
        content,
        "base.html",
        PLAIN + '{% block theme %}<link rel="stylesheet" href="{{ asset(\'more.css\') }}">{% endblock %}',
    )
    site = built(content)
    (icon,) = (site / "assets").glob("icon.*.svg")
    assert icon.read_text().startswith("<svg xmlns='http")
    (more,) = (site / "assets").glob("more.*.css")
    framed = [page for page in site.rglob("*.html") if 'class="skip"' in page.read_text()]
    assert site / "index.html" in framed
    assert [page for page in framed if f"/assets/{more.name}" not in page.read_text()] == []


@pytest.mark.slow
def test_every_change_of_the_theme_is_built_like_a_cold_build(content: Path) -> None:
    built(content)
    for body in ("<p>One</p>", "<p>Two</p>"):
        themed(content, "base.html", PLAIN + "{% block crumbs %}" + body + "{% endblock %}")
        assert (
            body in (built(content) / "docs/checks/index.html").read_text()
            or body in (content.parent / "site/404.html").read_text()
        )
    (content.parent / "theme/base.html").unlink()
    again = tree(built(content))
    build(BuildSettings(content, content.parent / "cold", TODAY, jobs=1, durable=False))
    assert again == tree(content.parent / "cold")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "body", "says"),
    [
        ("404.html", "<p>{{ nothing }}</p>", "404.html:1: 'nothing' is undefined"),
        ("404.html", "<p>\n{% if %}", "404.html:2: "),
        ("404.html", '{% extends "nowhere.html" %}', "404.html:1: there is no template nowhere.html"),
        ("404.html", '<p>\n{{ asset("no.css") }}', "404.html:2: there is no asset 'no.css'"),
        ("404.html", "<p>\n{{ 1 / 0 }}", "404.html:2: ZeroDivisionError: division by zero"),
        ("404.html", '{% include "404.html" %}', "404.html:1: RecursionError: "),
        ("404.html", b"\xff", "404.html:1: the file is not UTF-8"),
        ("assets/a b.svg", "<svg/>", "rename it"),
        ("assets/a.js", 'import "./no.js";', "assets/a.js: names ./no.js, there is no such asset"),
        ("assets/a.js", 'import "./a.js";', "assets/a.js: names ./a.js, which names it in turn"),
    ],
)
def test_a_broken_theme_is_told_with_its_place_and_the_site_stays(
    content: Path, name: str, body: str | bytes, says: str
) -> None:
    before = tree(built(content))
    themed(content, name, body)
    with pytest.raises(ThemeBroken) as refused:
        built(content)
    assert says in str(refused.value)
    assert tree(content.parent / "site") == before


@pytest.mark.slow
def test_all_templates_are_read_before_processes_part_also_beside_a_theme(content: Path) -> None:
    themed(content, "base.html", PLAIN)
    site = read_site(content, TODAY, None)
    assert site is not None
    RenderEnvironment(site, theme=theme_beside(content)).warm()
    themed(content, "home.html", "{% block %}")
    with pytest.raises(ThemeBroken, match=r"home\.html:1"):
        RenderEnvironment(site, theme=theme_beside(content)).warm()
