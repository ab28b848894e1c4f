"""Every built page, feed and link before the real checkers: html-validate, Nu, linkinator, tsc and feedparser."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import feedparser
import pytest

from build.views.routes import ATOM
from tests import calls
from tests.site.released import NODE, Released, checked, run, tool

pytestmark = [pytest.mark.system, pytest.mark.slow]
JAR = NODE / "node_modules/vnu-jar/build/dist/vnu.jar"
DATA = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
FEEDS = (ATOM, "application/rss+xml", "application/feed+json")
Sites = tuple[Released, Released]


BROKEN = '<!doctype html><html lang="en"><head><title>A</title></head><body><b><p style="x">a</b></body></html>'
"""What each checker of pages must find something wrong with, read in the same run as the pages."""


def test_html_validate_finds_nothing_on_any_page(sites: Sites, tmp_path: Path) -> None:
    told, broken = tmp_path / "told.json", tmp_path / "broken.html"
    broken.write_text(BROKEN)
    files = [str(site.file(page)) for site in sites for page in checked(site)]
    config = str(NODE / "html-validate.mjs")
    found = tool("html-validate", "--config", config, "--formatter", f"json={told}", str(broken), *files)
    said = {
        f"{file['filePath']}:{one['line']}: {one['ruleId']}: {one['message']}"
        for file in json.loads(told.read_text())
        for one in file["messages"]
    }
    of_broken = {line for line in said if line.startswith(str(broken))}
    assert said == of_broken, "\n".join(sorted(said - of_broken)[:40])
    assert of_broken
    assert found.returncode == 1, found.stderr


def test_the_nu_checker_finds_nothing_on_any_page(sites: Sites, tmp_path: Path) -> None:
    if not JAR.exists():
        pytest.skip("vnu-jar is not installed in tests/node (make system): nothing was checked by it")
    broken = tmp_path / "broken.html"
    broken.write_text(BROKEN)
    # Its notes of kind `info` are not findings: it takes the registered relation `ai-catalog` for a typing error.
    checker = ("java", "-jar", JAR, "--Werror", "--skip-info-messages", "--skip-non-html", "--format", "gnu")
    found = run(*checker, broken, *(site.file(page) for site in sites for page in checked(site)))
    of_broken = [line for line in found.stderr.splitlines() if str(broken) in line]
    assert [line for line in found.stderr.splitlines() if line not in of_broken][:40] == []
    assert of_broken
    assert found.returncode == 1


def test_no_link_of_the_site_is_broken(sites: Sites) -> None:
    for site in sites:
        elsewhere = f"^(?!{re.escape(site.address)}/)"
        found = tool(
            "linkinator",
            f"{site.address}/",
            *("--recurse", "--format", "json", "--skip", elsewhere, "--concurrency", "8", "--check-fragments"),
        )
        links = json.loads(found.stdout)["links"]
        broken = [f"{link['parent']} -> {link['url']}: {link['status']}" for link in links if link["state"] == "BROKEN"]
        assert broken == []
        seen = {link["url"].removeprefix(site.address) for link in links if link["state"] == "OK"}
        left = {page for page in site.pages if page not in seen}
        assert {page for page in left if page != "/404.html" and "old-flaky" not in page} == set(), (
            "no link leads there"
        )


def test_the_data_in_pages_is_what_schema_org_says(sites: Sites, tmp_path: Path) -> None:
    """Typed by schema-dts, so a field that a type does not have is an error too."""
    lines = ['import type { Graph } from "schema-dts";']
    shapes: dict[str, str] = {}
    for site in sites:
        for page in site.pages:
            for data in DATA.findall(site.file(page).read_text(encoding="utf-8")):
                shapes.setdefault(json.dumps(_shape(json.loads(data))), page)
    lines += [f"export const _{n}: Graph = {data}; // {page}" for n, (data, page) in enumerate(shapes.items())]
    assert len(lines) > 6
    wrong = '{"@context": "https://schema.org", "@graph": [{"@type": "HowTo", "stages": "no such field"}]}'
    said = _typed(tmp_path, [*lines, f"export const wrong: Graph = {wrong};"])
    place = f"data.ts({len(lines) + 1},"  # where the wrong one is found, and nothing before it
    assert [line for line in said.splitlines() if "error TS" in line and place not in line] == []
    assert "'\"stages\"' does not exist" in said


def _shape(data: object) -> object:
    """Data without its words, and each list with one of each of its items: what a type is about."""
    if isinstance(data, dict):
        words = ("@context", "@type")
        return {name: value if name in words else _shape(value) for name, value in data.items() if name != "@id"}
    if isinstance(data, list):
        items = [_shape(item) for item in data]
        return [item for n, item in enumerate(items) if item not in items[:n]]
    return "words" if isinstance(data, str) else 1 if isinstance(data, int) else data


def _typed(folder: Path, lines: list[str]) -> str:
    """What the compiler says of the lines."""
    (folder / "data.ts").write_text("\n".join(lines), encoding="utf-8")
    modules = folder / "node_modules"
    if not modules.exists():
        modules.symlink_to(NODE / "node_modules")
    strict = ("--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext")
    return tool("tsc", *strict, folder / "data.ts").stdout


def test_every_feed_is_well_formed(sites: Sites) -> None:
    for site in sites:
        feeds = sorted(file for file in site.out.resolve().rglob("*.xml") if file.name != "sitemap.xml")
        assert feeds
        for file in feeds:
            path = "/" + str(file.relative_to(site.out.resolve()))
            answer = calls.get(site.address + path)
            read = feedparser.parse(answer.content, response_headers={"content-type": answer.headers["content-type"]})
            assert not read.bozo, f"{path}: {read.get('bozo_exception')}"
            assert read.feed.title, path
            assert all(entry.id and entry.link and entry.updated for entry in read.entries), path


def test_every_feed_that_a_page_names_is_there(sites: Sites) -> None:
    for site in sites:
        named = {
            link["href"]
            for page in site.pages
            for link in _outline(site, page).named
            if "alternate" in link.get("rel", "") and link.get("type") in FEEDS
        }
        assert len(named) > 1
        for href in named:
            assert calls.get(site.address + href.removeprefix(site.address)).status_code == 200, href


class Outline(HTMLParser):
    """What a page is made of: its headings, its links in the head, and what its policy would not let run."""

    def __init__(self) -> None:
        super().__init__()
        self.headings: list[int] = []
        self.named: list[dict[str, str]] = []
        self.inline: list[str] = []
        self.first = ""
        self.title = ""
        self.lang = ""
        self.crumbs = False
        self.moved = False
        self.skip = ""
        self.targets: set[str] = set()
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element in."""
        told = {name: value or "" for name, value in attrs}
        self._inside = tag
        self.targets.add(told.get("id", ""))
        self.inline += [f"{name} on {tag}" for name in told if name.startswith("on") or name == "style"]
        if tag == "style" or (tag == "script" and not told.get("src") and not told.get("type", "").endswith("json")):
            self.inline.append(f"<{tag}>")
        if tag == "html":
            self.lang = told.get("lang", "")
        self.moved |= told.get("http-equiv") == "refresh"
        if tag == "link":
            self.named.append(told)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "a" and not self.skip:
            self.skip = told.get("href", "")
        if tag == "nav" and told.get("aria-label") == "Breadcrumb":
            self.crumbs = True

    def handle_data(self, data: str) -> None:
        """Text of the title."""
        if self._inside == "title":
            self.title += data.strip()
            self._inside = ""


def _outline(site: Released, page: str) -> Outline:
    return _read(site.file(page))


@cache
def _read(file: Path) -> Outline:
    outline = Outline()
    outline.feed(file.read_text(encoding="utf-8"))
    return outline


def _outlines(sites: Sites) -> Iterator[tuple[Released, str, Outline]]:
    for site in sites:
        for page in site.pages:
            yield site, page, _outline(site, page)


def test_every_page_is_in_order(sites: Sites) -> None:
    """A language, a skip link that leads somewhere, one first heading, no level left out, a way back."""
    for _, page, outline in _outlines(sites):
        assert outline.lang == "en", page
        assert outline.skip[:1] == "#", page
        assert outline.skip[1:] in outline.targets, page
        assert outline.headings.count(1) == 1, page
        assert all(after <= before + 1 for before, after in pairwise([0, *outline.headings])), page
        assert outline.crumbs or outline.moved or page in ("/", "/404.html"), f"{page} has no breadcrumb"


def test_no_page_holds_a_script_or_a_style_of_its_own(sites: Sites) -> None:
    found = {page: outline.inline for _, page, outline in _outlines(sites) if outline.inline}
    assert found == {}


def test_no_two_pages_have_one_title(sites: Sites) -> None:
    for site in sites:
        titles = Counter(_outline(site, page).title for page in site.pages)
        assert [title for title, n in titles.items() if n > 1 or not title] == []


def test_every_policy_is_strict(sites: Sites) -> None:
    """No answer, of whatever kind, lets anything run that did not come from the site."""
    rich, _ = sites
    asked = [*rich.pages, "/search/?q=flaky", "/submissions/?id=x", "/nothing", "/review/sign-in"]
    for page in asked:
        policy = calls.get(rich.address + page, follow_redirects=True).headers["content-security-policy"]
        assert "unsafe-" not in policy, f"{page}: {policy}"
        assert policy.startswith("default-src 'none'"), page
