"""Assets: their names carry their digests, also where one module imports another."""

from __future__ import annotations

import re
from pathlib import Path

from build.output.writer import Artifact
from build.reading import read_site
from build.settings import PROJECT, TEMPLATES
from build.views.rendering import RenderEnvironment
from tests.builders import TODAY, the_site, write_content


def a_desk(folder: Path, **modules: str) -> RenderEnvironment:
    """An environment whose templates hold these modules."""
    assets = folder / "templates" / "assets"
    assets.mkdir(parents=True, exist_ok=True)
    for name, text in modules.items():
        (assets / f"{name}.js").write_text(text)
    site = read_site(write_content(folder), TODAY, "https://library.example")
    assert site is not None
    return RenderEnvironment(site, folder / "templates")


def text_of(asset: Artifact) -> str:
    return asset.body.decode()


def test_an_imported_module_is_named_with_its_digest(tmp_path: Path) -> None:
    assets = a_desk(tmp_path, a='import { b } from "./b.js";\nb();\n', b="export const b = () => 1;\n").assets
    assert text_of(assets["a.js"]) == f'import {{ b }} from "./{assets["b.js"].path.removeprefix("assets/")}";\nb();\n'


def test_a_change_of_an_imported_module_is_one_of_whoever_imports_it(tmp_path: Path) -> None:
    importing = {"a": 'import "./b.js";', "b": 'const late = () => import("./c.js");'}
    before = a_desk(tmp_path, **importing, c="1").assets
    after = a_desk(tmp_path, **importing, c="2").assets
    assert {name for name in before if before[name].path != after[name].path} == {"a.js", "b.js", "c.js"}


def test_a_site_has_the_stemmer_of_its_language_alone() -> None:
    for language in ("english", "german"):
        site = the_site(search_language=language)
        assets = RenderEnvironment(site, TEMPLATES).assets
        assert [name for name in assets if name.startswith("stem-")] == [f"stem-{language}.js"]


def test_every_script_is_told_of() -> None:
    told = (PROJECT / "docs" / "site.md").read_text()
    paths = sorted((TEMPLATES / "assets").glob("*.js"))
    scripts = dict.fromkeys(re.sub(r"^stem-.*[.]", "stem-<language>.", path.name) for path in paths)
    assert len(scripts) > 10
    assert [name for name in scripts if f"`{name}`" not in told] == []
