"""What templates call: dates, counts, inputs of prompts, addresses of assets; what is missing is said."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from jinja2 import TemplateRuntimeError, UndefinedError

from build.views.rendering import RenderEnvironment, ThemeBroken
from tests.builders import put, the_site


def said(folder: Path, template: str, **values: object) -> str:
    put(folder / "theme", "404.html", template)
    return RenderEnvironment(the_site(), theme=folder / "theme").page("404.html", **values).decode()


def test_a_day_and_a_count_as_people_read_them(tmp_path: Path) -> None:
    template = "{{ day|day }}|{{ '2026-01-02T10:00:00Z'|day }}|{% for n in ns %}{{ n|count('run') }},{% endfor %}"
    assert said(tmp_path, template, day=date(2026, 11, 20), ns=[0, 1, 2, 1000]) == (
        "20 Nov 2026|2 Jan 2026|0 runs,1 run,2 runs,1,000 runs,"
    )
    assert said(tmp_path, "{{ 1|count('entry', 'entries') }} {{ 2|count('entry', 'entries') }}") == "1 entry 2 entries"


def test_inputs_of_a_prompt_are_marked_and_named_once(tmp_path: Path) -> None:
    prompt = "Open {{ a.b }} & {{c-d}}, then {{ a.b }}."
    assert said(tmp_path, "{{ prompt|marked }}", prompt=prompt) == (
        'Open <mark data-input="a.b">{{ a.b }}</mark> &amp; <mark data-input="c-d">{{c-d}}</mark>,'
        ' then <mark data-input="a.b">{{ a.b }}</mark>.'
    )
    assert said(tmp_path, "{{ prompt|inputs|join(',') }}", prompt=prompt) == "a.b,c-d"


def test_templates_know_the_site_and_escape_everything(tmp_path: Path) -> None:
    template = "{{ site.title }}|{{ root }}|{{ api }}|{{ release }}|{{ text }}"
    assert said(tmp_path, template, text="<b>") == "Playbook Library||/api/v1|False|&lt;b&gt;"
    assert said(tmp_path, "{% if 1 %}\n  {% if 1 %}\nx\n  {% endif %}\n{% endif %}") == "x\n"


def test_what_a_template_asks_for_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises((ThemeBroken, UndefinedError), match="nothing"):
        said(tmp_path, "{{ nothing }}")
    with pytest.raises((ThemeBroken, TemplateRuntimeError), match=r"there is no asset 'no.css'"):
        said(tmp_path, "{{ asset('no.css') }}")


def test_an_asset_carries_its_digest_and_those_that_it_imports(tmp_path: Path) -> None:
    put(tmp_path / "theme", "assets/one.js", 'import { a } from "./two.js";\nimport "./two.js";\n')
    put(tmp_path / "theme", "assets/two.js", "export const a = 1;\n")
    env = RenderEnvironment(the_site(), theme=tmp_path / "theme")
    two = env.assets["two.js"].path
    assert env.assets["one.js"].body.decode() == (
        f'import {{ a }} from "./{two.removeprefix("assets/")}";\nimport "./{two.removeprefix("assets/")}";\n'
    )
    assert two == "assets/two.037ecd1db3.js"


def test_a_style_sheet_names_what_it_loads_by_its_digest(tmp_path: Path) -> None:
    put(tmp_path / "theme", "assets/style.css", '@font-face { src: url("./letters.woff2") }\n')
    assets = RenderEnvironment(the_site(), theme=tmp_path / "theme").assets
    named = assets["letters.woff2"].path.removeprefix("assets/")
    assert assets["style.css"].body.decode() == f'@font-face {{ src: url("./{named}") }}\n'


def test_the_letters_are_few_enough_to_send_with_a_page() -> None:
    letters = RenderEnvironment(the_site()).assets["letters.woff2"].body
    assert letters.startswith(b"wOF2")
    assert len(letters) < 40_000


@pytest.mark.parametrize(
    ("one", "two", "why"),
    [
        ('import "./no.js";', "", "assets/one.js: names ./no.js, there is no such asset; mend it"),
        ('import "./two.js";', 'import "./one.js";', "which names it in turn"),
    ],
)
def test_an_import_that_cannot_be_followed_is_said(tmp_path: Path, one: str, two: str, why: str) -> None:
    put(tmp_path / "theme", "assets/one.js", one)
    put(tmp_path / "theme", "assets/two.js", two)
    with pytest.raises(ThemeBroken, match=why):
        _ = RenderEnvironment(the_site(), theme=tmp_path / "theme").assets


@pytest.mark.slow
def test_every_template_of_the_site_is_read_at_once() -> None:
    env = RenderEnvironment(the_site())
    env.warm()
    read = {name for _, name in env.environment.cache or ()}
    assert {"home.html", "playbook.html", "feed.xml"} <= read
    assert not [name for name in read if name.startswith("review/")]
