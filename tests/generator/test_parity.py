"""Every playbook says the same in all its forms: page, JSON, markdown, instruction file, and over MCP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import anyio
import orjson
import pytest
import strictyaml
from mcp.client.client import Client

from build.views.renditions import MOST_WORDS
from library.interface.answers import PROVENANCE_NOTE
from library.interface.finding import ASK_FIRST
from mcpserver.library import LocalLibrary
from mcpserver.server import server_of
from server.app import Service
from server.mcp import search_by
from tests.generator.forms import Said, of_json, of_markdown, of_page
from tests.service import HERE, a_library, a_service
from tests.trees import built

REFERENCES = ("steps", "failures", "prompts", "evidence")
PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module", params=["rich", pytest.param("real", marks=pytest.mark.slow)])
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service over one of the libraries; real content is built as of the day it is."""
    folder = tmp_path_factory.mktemp(request.param)
    content, out = PROJECT / "content", folder / "site"
    if request.param == "rich":
        content, out = a_library(folder)
    else:
        built(content, out, datetime.now(UTC).date(), site_url=HERE)
    service = a_service(folder, content=content, out=out)
    yield service
    service.close()


@pytest.fixture(scope="module")
def books(service: Service) -> dict[str, dict[str, Any]]:
    """Every playbook's JSON by its slug."""
    files = sorted((service.site.out / "api/v1/playbooks").glob("*.json"))
    return {path.stem: orjson.loads(path.read_bytes()) for path in files}


def differences(wanted: Said, found: Said) -> dict[str, tuple[object, object]]:
    """What another form says otherwise than the JSON."""
    one, other = asdict(wanted), asdict(found)
    return {name: (one[name], other[name]) for name in one if one[name] != other[name]}


def offered(books: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {slug: book for slug, book in books.items() if book["status"] != "withdrawn"}


@pytest.mark.slow
def test_the_library_has_something_of_everything(books: dict[str, dict[str, Any]]) -> None:
    for part in ("prompt", "variants", "steps", "failures", "human_checkpoints"):
        assert any(book[part] for book in books.values()), part
    assert all(book["provenance_note"] == PROVENANCE_NOTE for book in books.values())


def test_pages_say_what_the_json_says(service: Service, books: dict[str, dict[str, Any]]) -> None:
    for slug, book in offered(books).items():
        page = (service.site.out / f"playbooks/{slug}/index.html").read_text(encoding="utf-8")
        assert differences(of_json(book), of_page(page)) == {}, slug


def test_markdown_says_what_the_json_says(service: Service, books: dict[str, dict[str, Any]]) -> None:
    for slug, book in books.items():
        text = (service.site.out / f"playbooks/{slug}.md").read_text(encoding="utf-8")
        assert differences(of_json(book), of_markdown(text)) == {}, slug


def test_instruction_files_say_what_the_json_says(service: Service, books: dict[str, dict[str, Any]]) -> None:
    for slug, book in books.items():
        text = (service.site.out / f"skills/{slug}/SKILL.md").read_text(encoding="utf-8")
        head, _, body = text.removeprefix("---\n").partition("\n---\n")
        assert len(body.split()) <= MOST_WORDS, slug
        assert PROVENANCE_NOTE not in text
        if book["status"] != "withdrawn":
            with ZipFile(service.site.out / f"s/{slug}/skill.zip") as archive:
                names = [f"references/{name}.md" for name in ("why", *REFERENCES)]
                files = [archive.read(name).decode() for name in names if name in archive.namelist()]
                assert set(re.findall(r"`(references/[a-z]+\.md)`", text)) <= set(archive.namelist())
                beside = [text.partition("\n")[2] for text in files]
                assert archive.read("SKILL.md").decode() == text
            whole = f"> {PROVENANCE_NOTE}\n\n" + "\n".join(beside)
            assert differences(of_json(book), of_markdown(whole)) == {}, slug
            assert ASK_FIRST in body
            for number, step in enumerate(book["steps"], 1):
                assert f"{number}. {step['title']}. *Check" in body.replace("\\", "")
        values = strictyaml.load(head).data
        assert values["name"] == slug
        told = {name: values["metadata"][name] for name in ("trust", "version", "status", "source", "updated")}
        assert told == {**{name: book[name] for name in told if name != "source"}, "source": book["url"]}


@pytest.mark.slow
def test_mcp_says_what_the_json_says(service: Service, books: dict[str, dict[str, Any]]) -> None:
    library = LocalLibrary(service.site.out, search_by(lambda: service.engine), service.live, HERE)

    async def ask() -> dict[str, Any]:
        async with Client(server_of(library), raise_exceptions=True) as client:
            return {slug: await client.call_tool("get_playbook", {"slug": slug, "detail": "full"}) for slug in books}

    for slug, result in anyio.run(ask).items():
        assert not result.is_error
        assert result.structured_content == books[slug], slug
        text = result.content[0].text
        assert differences(of_json(books[slug]), of_markdown(text)) == {}, slug


def test_a_tombstone_says_why_in_every_form_and_nothing_to_follow(
    service: Service, books: dict[str, dict[str, Any]]
) -> None:
    out = service.site.out
    for slug in books.keys() - offered(books).keys():
        said = of_json(books[slug])
        assert (said.prompt, said.variants, said.steps) == ("", [], [])
        for name in (f"playbooks/{slug}/index.html", f"playbooks/{slug}.md", f"skills/{slug}/SKILL.md"):
            assert books[slug]["status_reason"] in (out / name).read_text(encoding="utf-8")
        page = (out / f"playbooks/{slug}/index.html").read_text(encoding="utf-8")
        assert "<pre" not in page
        assert 'class="steps"' not in page
