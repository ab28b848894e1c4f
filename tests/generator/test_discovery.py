"""What machines ask for first: indexes of skills with true digests, `llms.txt`, catalogues, data in pages."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import orjson
import pytest
import strictyaml
from skills_ref import validate

from build.facts import MOST_OFFERED
from build.pipeline import Resident
from build.reading import Sources
from build.settings import BuildSettings
from build.views.page_contexts import LISTED
from build.views.rendering import structured
from build.views.renditions import SCHEMA
from library.content.formatting import canonical
from library.interface.finding import quoted
from tests.builders import BOOK, PLAYBOOK, TODAY, put, titled
from tests.generator.test_renditions import Page
from tests.rich import HOSTILE, a_book
from tests.trees import built, differences, tree

INDEX = ".well-known/agent-skills/index.json"
OLDER = ".well-known/skills/index.json"
TOP = "https://playbooks.example/"


def answer(site: Path, name: str) -> dict[str, Any]:
    value: dict[str, Any] = orjson.loads((site / name).read_bytes())
    return value


def digest_of(site: Path, slug: str) -> str:
    return f"sha256:{hashlib.sha256((site / f's/{slug}/skill.zip').read_bytes()).hexdigest()}"


def test_the_index_offers_every_skill_but_withdrawn_ones_with_true_digests(rich_site: Path) -> None:
    index = answer(rich_site, INDEX)
    assert index["$schema"] == SCHEMA
    assert [item["name"] for item in index["skills"]] == [BOOK, "older", "write-tests"]
    for item in index["skills"]:
        assert list(item) == ["name", "type", "description", "version", "url", "digest"]
        assert (item["type"], item["url"]) == ("archive", f"{TOP}s/{item['name']}/skill.zip")
        assert item["digest"] == digest_of(rich_site, item["name"])
        assert 1 <= len(item["description"]) <= 1024
    assert (rich_site / OLDER).read_bytes() == (rich_site / INDEX).read_bytes()


def test_each_skill_has_an_index_of_its_own_which_says_the_same(rich_site: Path) -> None:
    for item in answer(rich_site, INDEX)["skills"]:
        alone = answer(rich_site, f"s/{item['name']}/{INDEX}")
        assert alone == {"$schema": SCHEMA, "skills": [item]}
    assert not (rich_site / "s/gone").exists()


def test_a_deprecated_skill_says_so_before_anything_else(rich_site: Path) -> None:
    older = next(item for item in answer(rich_site, INDEX)["skills"] if item["name"] == "older")
    assert older["description"] == "Deprecated, do not use it: It hides the cause."


def test_every_skill_is_valid_by_the_reference(rich_site: Path) -> None:
    folders = sorted((rich_site / "skills").iterdir())
    assert len(folders) == 4
    assert {folder.name: validate(folder) for folder in folders if validate(folder)} == {}


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "a --- b",
        "------",
        'say "no"',
        "back\\slash",
        "a\tb",
        "nel\x85",
        "\ufeff",
        "\U000e0001",
        "🎹",
        ": # - {",
        "",
    ],
)
def test_a_quoted_text_is_read_back_as_it_was_and_holds_no_fence(text: str) -> None:
    line = f"key: {quoted(text)}\n"
    assert "---" not in line
    assert strictyaml.load(line).data == {"key": text}


@pytest.mark.slow
def test_a_description_is_cut_at_a_word_and_holds_no_fence(content: Path, tmp_path: Path) -> None:
    reason = "because --- " + "it is so " * 200
    values = a_book(title="Long", status="deprecated", status_reason=reason, replaced_by=BOOK)
    put(content, "playbooks/long.yaml", canonical(values, "playbooks/long.yaml"))
    built(content, tmp_path / "site")
    said = next(item for item in answer(tmp_path / "site", INDEX)["skills"] if item["name"] == "long")["description"]
    assert MOST_OFFERED - 10 < len(said) <= MOST_OFFERED
    assert said.endswith((" so…", " is…", " it…"))
    assert "---" not in said
    assert validate(tmp_path / "site/skills/long") == []


@pytest.mark.slow
def test_a_change_that_no_skill_shows_leaves_the_index_alone(content: Path, tmp_path: Path) -> None:
    resident, told = Resident(Sources(content)), BuildSettings(content, tmp_path / "site", TODAY, jobs=1, durable=False)
    resident.build(told)
    before = (tmp_path / "site" / INDEX).stat().st_mtime_ns
    path = content / "agents/cursor.yaml"
    path.write_text(path.read_text().replace("summary: ", "summary: Now "))
    assert resident.build(told).written
    assert (tmp_path / "site" / INDEX).stat().st_mtime_ns == before


@pytest.mark.slow
def test_what_is_withdrawn_leaves_every_offer_at_the_next_build(content: Path, tmp_path: Path) -> None:
    built(content, tmp_path / "site")
    path = content / "playbooks/write-tests.yaml"
    path.write_text(path.read_text() + "status: withdrawn\nstatus_reason: It was wrong.\n")
    put(
        content,
        f"playbooks/{BOOK}.yaml",
        (content / f"playbooks/{BOOK}.yaml").read_text().replace("- write-tests", "- older"),
    )
    built(content, tmp_path / "site")
    offers = [INDEX, OLDER, "llms.txt", "categories/software/ai-catalog.json"]
    for name in offers:
        assert "/write-tests" not in (tmp_path / "site" / name).read_text(), name
    assert not (tmp_path / "site/s/write-tests").exists()
    built(content, tmp_path / "cold")
    assert differences(tmp_path / "site", tmp_path / "cold") == []


def test_llms_txt_has_its_form_and_leads_to_what_is_there(rich_site: Path) -> None:
    lines = (rich_site / "llms.txt").read_text().splitlines()
    assert lines[0] == "# Playbook Library"
    assert lines[2].startswith("> ")
    assert [line for line in lines if line.startswith("# ")] == lines[:1]
    start = lines.index("## How to read and report")
    for line in lines[start:]:
        assert not line or line.startswith("## ") or re.match(r"- \[.+\]\(https?://\S+\): .", line), line
    links = re.findall(r"\]\((\S+)\)", "\n".join(lines))
    for link in links:
        assert link.startswith(TOP)
        assert (rich_site / link.removeprefix(TOP)).is_file(), link
    assert f"{TOP}playbooks/{BOOK}.md" in links
    assert f"{TOP}playbooks/gone.md" not in links
    assert "llms-full" not in "".join(lines)


@pytest.mark.slow
def test_a_large_library_names_its_categories_and_stays_short(content: Path, tmp_path: Path) -> None:
    for number in range(LISTED):
        put(content, f"playbooks/more-{number}.yaml", titled(PLAYBOOK, f"Number {number}"))
    built(content, tmp_path / "site")
    text = (tmp_path / "site/llms.txt").read_text()
    assert len(text) < 4000
    assert f"- [Software]({TOP}categories/software.md): {LISTED + 4} playbooks." in text
    assert "more-7" in (tmp_path / "site/categories/software.md").read_text()
    page = Page((tmp_path / "site/playbooks/index.html").read_text())
    listed = things(page)["ItemList"]
    assert (listed["numberOfItems"], len(listed["itemListElement"])) == (LISTED + 3, 100)


@pytest.mark.slow
def test_the_whole_library_as_text_is_for_releases(content: Path, tmp_path: Path) -> None:
    built(content, tmp_path / "site", release=True)
    text = (tmp_path / "site/llms-full.txt").read_text()
    for name in (f"playbooks/{BOOK}.md", "playbooks/older.md", "lessons/stress-run-is-green-without-the-fix-too.md"):
        assert (tmp_path / "site" / name).read_text() in text
    assert "It was unsafe." not in text
    assert f"({TOP}llms-full.txt)" in (tmp_path / "site/llms.txt").read_text()
    built(content, tmp_path / "site")
    assert not (tmp_path / "site/llms-full.txt").exists()


def test_the_catalogues_lead_to_every_offered_skill(rich_site: Path) -> None:
    top = answer(rich_site, ".well-known/ai-catalog.json")
    assert (top["specVersion"], top["host"]["displayName"]) == ("1.0", "Playbook Library")
    tasks = answer(rich_site, "api/v1/tasks.json")["items"]
    found = []
    for entry in top["entries"]:
        assert entry["type"] == "application/ai-catalog+json"
        slug = entry["url"].split("/")[-2]
        jobs = {task["name"] for task in tasks if task["category"] == slug and task["playbook_count"]}
        assert 0 < len(entry["representativeQueries"]) == min(5, len(jobs))
        assert jobs.issuperset(entry["representativeQueries"])
        below = answer(rich_site, entry["url"].removeprefix(TOP))
        for item in below["entries"]:
            assert {"identifier", "type", "url"} <= item.keys()
            assert re.fullmatch(r"urn:air:[a-zA-Z0-9.-]+:playbooks:[a-z0-9-]+", item["identifier"])
            assert (rich_site / item["url"].removeprefix(TOP)).is_file()
            found.append(item["url"].split("/")[-2])
    assert sorted(found) == [item["name"] for item in answer(rich_site, INDEX)["skills"]]


def things(page: Page) -> dict[str, dict[str, Any]]:
    """The things that a page's data describes, by their types."""
    value = orjson.loads(page.data)
    assert value["@context"] == "https://schema.org"
    return {thing["@type"]: thing for thing in value["@graph"]}


def test_a_playbook_is_a_how_to_with_its_steps(rich_site: Path) -> None:
    page = Page((rich_site / f"playbooks/{BOOK}/index.html").read_text())
    book = answer(rich_site, f"api/v1/playbooks/{BOOK}.json")
    found = things(page)
    guide = found["HowTo"]
    assert (guide["name"], guide["url"], guide["version"]) == (book["title"], book["url"], book["version"])
    assert [step["name"] for step in guide["step"]] == [step["title"] for step in book["steps"]]
    ids = {attributes.get("id") for _, attributes in page.tags}
    assert {step["url"].partition("#")[2] for step in guide["step"]} <= ids
    for crumb in found["BreadcrumbList"]["itemListElement"]:
        assert (rich_site / crumb["item"].removeprefix(TOP) / "index.html").is_file()


def test_lessons_and_lists_say_what_they_are_and_tombstones_say_nothing(rich_site: Path) -> None:
    lesson = Page((rich_site / "lessons/stress-run-is-green-without-the-fix-too/index.html").read_text())
    assert things(lesson)["TechArticle"]["url"].startswith(TOP)
    for name in ("playbooks", "categories/software", f"tasks/{BOOK}", "agents/cursor"):
        listed = things(Page((rich_site / name / "index.html").read_text()))["ItemList"]
        assert listed["numberOfItems"] == len(listed["itemListElement"]) > 0
        assert "gone" not in orjson.dumps(listed).decode()
    assert Page((rich_site / "playbooks/gone/index.html").read_text()).data == ""


def test_the_home_page_says_how_to_search_and_statistics_are_a_data_set(rich_site: Path) -> None:
    site = things(Page((rich_site / "index.html").read_text()))["WebSite"]
    assert site["url"] == TOP
    assert site["potentialAction"]["target"]["urlTemplate"] == f"{TOP}search/?q={{query}}"
    data = things(Page((rich_site / "stats/index.html").read_text()))["Dataset"]
    assert data["license"].startswith("https://")
    assert len(data["distribution"]) == 6
    for item in data["distribution"]:
        assert (rich_site / item["contentUrl"].removeprefix(TOP)).is_file()
    article = things(Page((rich_site / "docs/interface/index.html").read_text()))["TechArticle"]
    assert (article["name"], article["url"]) == ("Interface", f"{TOP}docs/interface/")


@pytest.mark.parametrize(
    "text", [HOSTILE, "</script><script>alert(1)</script>", "<!--<script>", "]]>", "\u2028x", "&lt;"]
)
def test_no_text_ends_the_data_of_a_page(text: str) -> None:
    said = str(structured(orjson.dumps({"@type": "Thing", "name": text}).decode()))
    assert not {"<", ">", "&", "\u2028", "\u2029"} & set(said)
    assert orjson.loads(said)["@graph"][0]["name"] == text


def test_twins_of_lists_name_what_their_pages_name(rich_site: Path) -> None:
    for kind, slug in (("categories", "software"), ("tasks", BOOK), ("agents", "cursor")):
        page = Page((rich_site / kind / slug / "index.html").read_text())
        text = (rich_site / f"{kind}/{slug}.md").read_text()
        linked = {str(attributes.get("href")) for tag, attributes in page.tags if tag == "a"}
        named = set(re.findall(rf"{TOP}playbooks/([a-z0-9-]+)\.md", text))
        assert named == {href.split("/")[2] for href in linked if re.fullmatch(r"/playbooks/[a-z0-9-]+/", href)}
        assert f'href="/{kind}/{slug}.md"' in (rich_site / kind / slug / "index.html").read_text()


def test_documents_are_written_as_markdown_too(rich_site: Path) -> None:
    text = (rich_site / "docs/agents.md").read_text()
    assert text.startswith("# For agents\n")
    assert f"]({TOP}docs/api.md)" in text


@pytest.mark.slow
def test_the_discovery_files_are_deterministic(content: Path, tmp_path: Path) -> None:
    built(content, tmp_path / "one", release=True)
    built(content, tmp_path / "two", release=True)
    names = [name for name in tree(tmp_path / "one") if ".well-known" in name or name.startswith("llms")]
    assert len(names) == 10
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


def test_the_interface_and_the_mcp_server_are_found_where_machines_look(rich_site: Path) -> None:
    server = answer(rich_site, ".well-known/mcp.json")
    assert server["remotes"] == [{"type": "streamable-http", "url": f"{TOP}mcp"}]
    assert server["name"] == "example.playbooks/playbooks"
    (entry,) = orjson.loads((rich_site / ".well-known/api-catalog").read_bytes())["linkset"]
    assert entry["anchor"] == f"{TOP}api/v1/"
    assert entry["service-desc"] == [{"href": f"{TOP}api/v1/openapi.json", "type": "application/json"}]
    text = (rich_site / "llms.txt").read_text(encoding="utf-8")
    for named in (f"{TOP}api/v1/find?task=", f"{TOP}mcp", f"{TOP}server.json", "/versions"):
        assert named in text


@pytest.mark.slow
@pytest.mark.parametrize("words", ["", " and more" * 15])
def test_the_server_keeps_the_bounds_of_the_registry(content: Path, tmp_path: Path, words: str) -> None:
    path = content / "site.yaml"
    path.write_text(re.sub(r"^(title|tagline): (.*)$", rf"\1: \2{words}", path.read_text(), flags=re.MULTILINE))
    built(content, tmp_path / "site")
    server = answer(tmp_path / "site", "server.json")
    assert server == answer(tmp_path / "site", ".well-known/mcp.json")
    assert server["$schema"] == "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    assert set(server) == {"$schema", "name", "title", "description", "version", "websiteUrl", "remotes"}
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"])
    assert 3 <= len(server["name"]) <= 200
    assert re.fullmatch(r"\d+\.\d+\.\d+", server["version"])
    for text in (server["title"], server["description"]):
        assert 1 <= len(text) <= 100
    assert all(
        set(item) == {"type", "url"} and re.fullmatch(r"https?://\S+", item["url"]) for item in server["remotes"]
    )
