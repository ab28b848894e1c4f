"""Templates compiled for one site say what Jinja's own would say, and a site's pages need nothing else."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, TemplateSyntaxError, UndefinedError

from build.desk import Desk
from build.pipeline import Settings, build
from build.templates import SiteEnvironment
from tests.builders import TODAY, put
from tests.rich import HOSTILE, write_rich_content

SITE = SimpleNamespace(title="A & B", address="https://x.example/", links=(SimpleNamespace(url="/a?b&c"),), footer=None)
PARTS = """\
{% macro label(word, kind="plain", n=0) %}<b class="{{ kind }}">{{ word|capitalize }}{{ n if n }}</b>{% endmacro %}
{% macro listed(items, top="") %}
{% set many = items|length > 1 %}
<ul{% if many %} class="many"{% endif %}>
{% for item in items %}
<li>{{ loop.index }}: {{ item.name }}{{ top }} of {{ site.title }}{{ label(item.name) }}</li>
{% endfor %}
</ul>
{% endmacro %}
{% macro boxed() %}<div>{{ caller() }}</div>{% endmacro %}
{% macro more() %}{{ varargs|join(", ") }}{% endmacro %}
"""
IMPORT = '{% from "parts" import label, listed as all_of, boxed, more %}'


def said(kind: type[Environment], **templates: str) -> str:
    """What the template `page` says of two items and a hostile text."""
    loader = DictLoader({"parts": PARTS, **templates})
    environment = kind(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, cache_size=-1
    )
    environment.globals.update(site=SITE, root="/lib", asset="/assets/{}".format)
    if isinstance(environment, SiteEnvironment):
        environment.fixed = {name: environment.globals[name] for name in ("site", "root", "asset")}
    items = [SimpleNamespace(name=name, tags=("x", "y")) for name in ("one", "two")]
    values: dict[str, Any] = {"items": items, "text": HOSTILE, "none": None, "n": 3, "half": 0.5, "label_of": "own"}
    return environment.get_template("page").render(values)


@pytest.mark.parametrize(
    "page",
    [
        "{{ text }} {{ text|safe }} {{ none }} {{ n }} {{ half }} {{ true }} {{ text|upper }} {{ '<' ~ text }}",
        "{{ site.title }}{{ root }}/{{ asset('a.css') }}{{ site.address.rstrip('/').partition('://')[2] }}",
        "{% if site.footer %}never{% else %}{{ site.footer }}{% endif %}"
        "{% for link in site.links %}{{ link.url }}{% endfor %}",
        "{{ site['title'] }}{{ site.title|replace('&', '+') }}{{ {'a': site.title}['a'] }}{{ items[0]['name'] }}",
        IMPORT + "{{ label('x') }}{{ label('x', 'y') }}{{ label(kind='<', word=text) }}{{ label(text, n=n) }}",
        IMPORT + "{{ label('x')|upper }}{{ label('x') if n else '' }}{% set kept = label(text) %}{{ kept }}",
        IMPORT + "{{ all_of(items) }}{{ all_of(items[:1], top='!') }}{{ all_of([], site.title) }}",
        IMPORT + "{% for item in items %}{{ label(item.name) }}{{ loop.last }}{% endfor %}{% set word = 1 %}{{ word }}",
        IMPORT + "{% call boxed() %}{{ text }}{% endcall %}{{ more(1, 2) }}{{ label(*['a', 'b']) }}",
        IMPORT + "{% for label in items %}{{ label.name }}{% endfor %}",
        IMPORT + "{% macro label(x) %}own {{ x }}{% endmacro %}{{ label(text) }}",
        '{% import "parts" as parts %}{{ parts.label(text) }}',
        '{% from "parts" import label with context %}{{ label(text) }}',
        '{% for item in items %}{% include "part" %}{{ loop.index }}{% endfor %}{{ seen is defined }}',
        '{% include "part" without context %}{% include "nowhere" ignore missing %}{% include ["no", "part"] %}',
        IMPORT + '{% set item = items[0] %}{% include "part" %}{% include "using" %}',
        '{% extends "base" %}{% block main %}{{ super() }}{{ text }}{{ self["title"]() }}{% endblock %}',
        '{% extends "base" %}{% set mine = "set by the page" %}{% block title %}<{{ site.title }}>{% endblock %}',
        '{% if n > 2 %}{% extends "base" %}{% endif %}{% block main %}{{ n }}{% endblock %}',
        "{% filter upper %}{{ text }}{% endfilter %}{% set block %}{{ text }}{% endset %}{{ block }}",
        "{% autoescape false %}{{ text }}{{ site.title }}{% endautoescape %}"
        "{{ items|map(attribute='name')|join('&') }}",
        "{% with a = text, b = n %}{{ a }}{{ b }}{% endwith %}"
        "{% set ns = namespace(a=1) %}{% set ns.a = 2 %}{{ ns.a }}",
    ],
)
def test_a_page_is_the_same_to_the_letter(page: str) -> None:
    others = {
        "part": "({{ item.name if item is defined else 'no item' }}{% set seen = 1 %}{{ seen }}{{ site.title }})",
        "using": "{{ label(text) }}",
        "base": "<{{ root }}>{% block title %}{{ site.title }}{% endblock %}{{ mine|default('unset') }}"
        "{% block main %}base{% endblock %}{% for item in items %}{% block each scoped %}{{ item.name }}{% endblock %}"
        "{% endfor %}",
    }
    assert said(SiteEnvironment, page=page, **others) == said(Environment, page=page, **others)


def test_what_is_missing_is_an_error_as_ever() -> None:
    with pytest.raises(UndefinedError):
        said(SiteEnvironment, page="{{ nothing }}")
    with pytest.raises(AttributeError):
        said(SiteEnvironment, page="{{ items[0].nothing }}")


@pytest.mark.parametrize(
    "page", ["{% set root = 1 %}", "{% for site in items %}{% endfor %}", "{% macro a(asset) %}{% endmacro %}"]
)
def test_a_name_that_is_the_same_on_all_pages_cannot_be_set(page: str) -> None:
    with pytest.raises(TemplateSyntaxError, match="is the same on all pages and cannot be set"):
        said(SiteEnvironment, page=page)


@pytest.mark.slow
def test_no_page_of_a_site_needs_jinja_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = write_rich_content(tmp_path)
    monkeypatch.setattr(Desk, "jinja", None)  # what would be asked
    assert build(Settings(content, tmp_path / "site", TODAY, jobs=1)).files


@pytest.mark.slow
def test_a_template_that_takes_an_item_for_an_attribute_is_left_to_jinja(tmp_path: Path) -> None:
    content = write_rich_content(tmp_path)
    put(tmp_path / "theme", "404.html", '{% set words = {"gone": "Nothing <is> here"} %}{{ words.gone }}')
    build(Settings(content, tmp_path / "site", TODAY, jobs=1))
    assert (tmp_path / "site/404.html").read_text() == "Nothing &lt;is&gt; here"
