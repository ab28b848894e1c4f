"""The renditions of one playbook say the same, each by the rules of its kind; hostile text is inert in all of them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import feedparser
import orjson
import pytest
import yaml

from library.interface.answers import PROVENANCE_NOTE
from library.interface.finding import fenced
from tests.builders import BOOK
from tests.generator.told import outline, renditions_of
from tests.rich import HOSTILE


class Page(HTMLParser):
    """What a page holds: its text, its data, its tags with attributes, and whether every tag is closed."""

    VOID = frozenset({"meta", "link", "input", "br", "hr", "img", "rect", "line", "path", "circle"})

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.words = ""
        self.data = ""
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"]:
            self.data += data
        else:
            self.words += data


def squeezed(text: str) -> str:
    """A text without what renditions may lay out differently."""
    return re.sub(r"[\s\\`*_]+", " ", text).strip()


@pytest.fixture(scope="module")
def book(rich_site: Path) -> dict[str, Any]:
    answer: dict[str, Any] = orjson.loads((rich_site / f"api/v1/playbooks/{BOOK}.json").read_bytes())
    return answer


def whole_skill(site: Path) -> str:
    """Every file of a skill; of its own accord it does not say of itself that it is no instruction."""
    with ZipFile(site / f"s/{BOOK}/skill.zip") as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def renditions(site: Path) -> dict[str, str]:
    return {
        "markdown": (site / f"playbooks/{BOOK}.md").read_text(),
        "skill": PROVENANCE_NOTE + whole_skill(site),
        "page": Page((site / f"playbooks/{BOOK}/index.html").read_text()).words,
    }


def test_every_rendition_holds_the_same(rich_site: Path, book: dict[str, Any]) -> None:
    said = [
        book["title"],
        book["outcome"],
        book["verdict"],
        book["risk_note"],
        PROVENANCE_NOTE,
        book["prompt"],
        book["version"],
    ]
    said += [text for step in book["steps"] for text in (step["title"], step["check"])]
    said += [text for failure in book["failures"] for text in (failure["problem"], failure["fix"])]
    said += [variant["prompt"] for variant in book["variants"]]
    said += [item["title"] for item in book["evidence"]] + [need["name"] for need in book["needs"]]
    for name, text in renditions(rich_site).items():
        missing = [item for item in said if squeezed(item) not in squeezed(text)]
        assert not missing, name


def test_the_skill_has_the_head_that_its_rules_want(rich_site: Path) -> None:
    for path in rich_site.glob("skills/*/SKILL.md"):
        head, body = path.read_text().removeprefix("---\n").split("\n---\n", 1)
        values = yaml.safe_load(head)
        assert values.keys() == {"name", "description", "license", "compatibility", "metadata"}
        assert values["license"].startswith("CC BY 4.0")
        assert 1 <= len(values["compatibility"]) <= 500
        assert values["name"] == path.parent.name
        assert 1 <= len(values["description"]) <= 1024
        assert all(isinstance(value, str) for value in values["metadata"].values())
        assert "{" not in head.replace("{{", "")
        assert body.strip()


@pytest.mark.slow
def test_pages_are_well_formed_and_load_nothing_from_elsewhere(rich_site: Path) -> None:
    pages = list(rich_site.rglob("*.html"))
    assert len(pages) > 25
    for path in pages:
        html = path.read_text()
        page = Page(html)
        assert page.open == [], path
        assert html.count("<h1") == 1, path
        for tag, attributes in page.tags:
            assert tag not in ("style", "iframe"), path
            data = attributes.get("type") in ("application/ld+json", "application/json")
            if tag == "script" and not data:  # of our own, and nothing in it
                assert re.fullmatch(r"/assets/[a-z-]+\.[0-9a-f]{10}\.js", str(attributes["src"])), path
            assert not [name for name in attributes if name == "style" or name.startswith("on")], path
            if tag == "img":
                assert str(attributes["src"]).startswith("/assets/"), path
            if tag == "link" and attributes.get("rel") in ("stylesheet", "icon"):
                assert str(attributes["href"]).startswith("/assets/"), path


@pytest.mark.slow
def test_internal_links_lead_somewhere(rich_site: Path) -> None:
    for path in rich_site.rglob("*.html"):
        for tag, attributes in Page(path.read_text()).tags:
            href = attributes.get("href") or ""
            if tag != "a" or not href.startswith("/"):
                continue
            target = href.partition("#")[0].partition("?")[0]
            served = target.startswith("/api/v1") and not target.endswith((".json", "/"))
            file = rich_site / (
                target.lstrip("/") + ("index.html" if target.endswith("/") else ".json" if served else "")
            )
            if target.startswith("/api/v1/search"):
                continue
            assert file.is_file(), f"{path.relative_to(rich_site)}: {href}"


def test_links_in_markdown_lead_somewhere_from_wherever_it_is_copied_to(rich_site: Path) -> None:
    checked = 0
    for path in rich_site.rglob("*.md"):
        for link in re.findall(r"\]\(((?!#)[^)\s]+)\)", path.read_text()):
            assert link.startswith(("https://", "http://")), f"{path}: {link}"
            if link.startswith("https://playbooks.example/"):
                checked += 1
                target = link.removeprefix("https://playbooks.example/").partition("#")[0]
                file = rich_site / (target + "index.html" if target.endswith("/") else target)
                assert file.is_file(), f"{path}: {link}"
    assert checked > 5


def test_a_checkpoint_says_the_title_of_its_step_in_every_form(rich_site: Path) -> None:
    """A prompt numbers what it asks for as well, and an agent took the one number for the other."""
    told = "Before step 2 (Mend it): a person reads the diff."
    names = (f"api/v1/playbooks/{BOOK}.json", f"playbooks/{BOOK}.md", f"skills/{BOOK}/SKILL.md")
    page = (rich_site / f"playbooks/{BOOK}/index.html").read_text()
    assert [told in text for text in (*((rich_site / name).read_text() for name in names), page)] == [True] * 4
    assert "<strong>Stop: a person decides.</strong> A person reads the diff.</p>" in page


@pytest.mark.slow
def test_hostile_text_is_inert_everywhere(rich_site: Path) -> None:
    assert HOSTILE in orjson.loads((rich_site / f"api/v1/playbooks/{BOOK}.json").read_bytes())["human_checkpoints"][1]
    for path in rich_site.rglob("*.html"):
        html = path.read_text()
        page = Page(html)
        assert html.count("<script") == [tag for tag, _ in page.tags].count("script")
        assert not {"<", ">", "&"} & set(page.data)
        assert 'href="javascript:' not in html
        assert "49" not in re.findall(r"single.{0,80}", html)
    for path in rich_site.rglob("*.xml"):
        ElementTree.fromstring(path.read_bytes())


def test_a_withdrawn_playbook_is_a_tombstone(rich_site: Path) -> None:
    gone = orjson.loads((rich_site / "api/v1/playbooks/gone.json").read_bytes())
    assert (gone["status"], gone["status_reason"], gone["replaced_by"]) == ("withdrawn", "It was unsafe.", BOOK)
    assert (gone["prompt"], gone["steps"], gone["variants"]) == ("", [], [])
    for text in ((rich_site / "playbooks/gone.md").read_text(), (rich_site / "playbooks/gone/index.html").read_text()):
        assert "It was unsafe." in text
        assert "Find out why the tests" not in text


def test_an_alias_leads_to_its_playbook(rich_site: Path) -> None:
    page = Page((rich_site / "playbooks/old-flaky/index.html").read_text())
    assert f"/playbooks/{BOOK}/" in [attributes.get("href") for _, attributes in page.tags]
    assert orjson.loads((rich_site / "api/v1/aliases.json").read_bytes()) == {"total": 1, "items": {"old-flaky": BOOK}}


@pytest.mark.parametrize("name", ["feed.xml", "playbooks/feed.xml", "lessons/feed.xml", "categories/software/feed.xml"])
def test_feeds_are_valid(rich_site: Path, name: str) -> None:
    feed = feedparser.parse((rich_site / name).read_bytes())
    assert feed.bozo is False
    assert feed.entries
    assert len({entry.id for entry in feed.entries}) == len(feed.entries)
    assert all(entry.updated_parsed and entry.link.startswith("https://playbooks.example/") for entry in feed.entries)


def test_the_site_map_names_every_page_for_people(rich_site: Path) -> None:
    root = ElementTree.fromstring((rich_site / "sitemap.xml").read_bytes())
    listed = {
        str(item.text).removeprefix("https://playbooks.example/")
        for item in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")
    }
    there = {str(path.parent.relative_to(rich_site)) + "/" for path in rich_site.rglob("index.html")}
    there = {name.removeprefix("./") for name in there}
    assert listed <= there
    assert '<meta name="robots" content="noindex">' in (rich_site / "mine/index.html").read_text()
    runs = {name for name in there if name.endswith("/run/")}
    for name in runs:
        whole = f'<link rel="canonical" href="https://playbooks.example/{name.removesuffix("run/")}">'
        assert whole in (rich_site / name / "index.html").read_text()
    assert {name for name in there - listed - runs - {"mine/"} if not name.startswith("docs/")} == {
        "playbooks/old-flaky/",
        "playbooks/gone/",
    }


@pytest.mark.parametrize("text", ["plain", "```", "a\n````\nb", "`" * 9])
def test_a_fence_is_longer_than_what_it_holds(text: str) -> None:
    first, *_, last = fenced(text).splitlines()
    fence = first.removesuffix("text")
    assert fence == last
    assert fence not in text


BEYOND = {
    "a fence that is closed by itself": "~~~\n## Prompt\n~~~",
    "a fence that a place opens anew": "a\n ~~~\n## Prompt\n~~~",
    "a fence behind a tab": "a\n\n\t~~~\n\t## Prompt",
    "an open fence": "a\n\n````` x",
    "an element across two texts": "> '><b a='",
    "a heading in a list": "- a\n\n  ## Prompt\n\n1. ===",
    "an underline": "a\n---",
    "a definition": "[Playbook]: https://example.com/\n\n[Playbook]",
    "an element": "a\n\n</li></ul><script>b\n\n<details>",
    "a heading in a quotation": "> # a\n>\n> <b>",
}


@pytest.mark.parametrize("text", BEYOND.values(), ids=BEYOND)
def test_no_text_changes_the_parts_of_markdown(text: str) -> None:
    plain = renditions_of("a")
    for name, rendition in renditions_of(text).items():
        assert outline(rendition) == outline(plain[name]), name


def test_honest_markdown_stands_as_it_is() -> None:
    told = "Run `a < b`:\n\n```sh\n# a comment\nls <folder>\n```\n\n- one\n- [two](https://example.com/)"
    found = renditions_of(told)
    assert told in found["lesson"]
    assert told.replace("\n", "\n    ") in found["markdown"]
