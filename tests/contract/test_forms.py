"""The forms of a record lead to each other, and a page gives way to its markdown for whoever prefers that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from build.views.routes import API, HTML, JSON, MARKDOWN, ROUTES
from server.app import Service
from server.files import prefers_markdown
from tests.builders import BOOK
from tests.contract.test_live import SLUGS
from tests.service import Client, a_service

LESSON = "stress-run-is-green-without-the-fix-too"
_LINK = re.compile(r'<([^>]+)>; rel="([a-z-]+)"; type="([a-z/]+)"')


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = a_service(tmp_path_factory.mktemp("forms"))
    yield service
    service.close()


@pytest.fixture
def ask(service: Service) -> Client:
    return Client(service)


def links(ask: Client, path: str, rel: str, **options: Any) -> dict[str, str]:
    """The addresses that a path's `Link` header names in one relation, by their types."""
    header = ask(path, **options).headers.get("link", "")
    return {kind: address for address, name, kind in _LINK.findall(header) if name == rel}


FORMS = {
    "text/html": f"/playbooks/{BOOK}/",
    "text/markdown": f"/playbooks/{BOOK}.md",
    "application/json": f"{API}/playbooks/{BOOK}",
}


@pytest.mark.parametrize("kind", FORMS)
def test_each_form_of_a_playbook_leads_to_the_others(ask: Client, kind: str) -> None:
    assert links(ask, FORMS[kind], "alternate") == {name: path for name, path in FORMS.items() if name != kind}


def test_an_instruction_file_leads_to_all_forms(ask: Client) -> None:
    assert links(ask, f"/skills/{BOOK}/SKILL.md", "alternate") == FORMS


@pytest.mark.parametrize("kind", ["lessons", "tasks", "categories", "agents", "docs"])
def test_other_records_lead_on_too(ask: Client, kind: str) -> None:
    slug = {"lessons": LESSON, "tasks": BOOK, "categories": "software", "agents": "cursor", "docs": "agents"}[kind]
    page, twin = f"/{kind}/{slug}/", f"/{kind}/{slug}.md"
    assert links(ask, page, "alternate")["text/markdown"] == twin
    assert links(ask, twin, "alternate")["text/html"] == page


@pytest.mark.parametrize(
    "path",
    [
        route.path
        for route in ROUTES
        if route.view
        and route.content_type in (HTML, JSON)
        and "{number}" not in route.path  # the lists here are short
    ],
)
def test_every_link_leads_somewhere_and_to_the_type_it_says(ask: Client, path: str) -> None:
    route = next(route for route in ROUTES if route.path == path)
    address = path.replace("{slug}", SLUGS.get(route.subject.name, ""))
    for found, _, kind in _LINK.findall(ask(address).headers.get("link", "")):
        answer = ask(found)
        assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, kind), found


def test_answers_of_the_api_name_their_description(ask: Client) -> None:
    for path in (
        f"{API}/",
        f"{API}/playbooks",
        f"{API}/stats",
        f"{API}/runs?playbook={BOOK}",
        FORMS["application/json"],
    ):
        assert links(ask, path, "service-desc") == {"application/json": f"{API}/openapi.json"}
        assert links(ask, path, "service-doc") == {"text/html": "/docs/interface/"}
    assert "link" not in ask("/.well-known/agent-skills/index.json").headers


def test_a_negotiated_form_leads_away_from_itself(ask: Client) -> None:
    found = links(ask, FORMS["text/html"], "alternate", headers={"Accept": "text/markdown"})
    assert found == {name: path for name, path in FORMS.items() if name != "text/markdown"}


@pytest.mark.parametrize(
    ("accept", "markdown"),
    [
        ("text/html;q=0.9, text/markdown", True),
        ("text/markdown;q=0.9, text/html;q=0.8, */*;q=0.1", True),
        ("text/markdown;q=0.8, text/html;q=0.9", False),
        ("text/markdown, text/html", True),
        ("TEXT/MARKDOWN", True),
        ("text/markdown; charset=utf-8; q=1.000", True),
        ("text/markdown;q=0.5, */*", False),
        ("text/markdown;q=0.5, text/*;q=0.4", True),
        ("text/*", False),
        ("*/*;q=0.8, text/plain", False),
        ("text/markdown;q=1.5", False),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", False),
    ],
)
def test_quality_values_decide(accept: str, markdown: bool) -> None:
    assert prefers_markdown(accept) is markdown


def test_both_forms_at_one_address_have_tags_of_their_own(ask: Client) -> None:
    path = FORMS["text/html"]
    wants = {"page": {"Accept": "text/html"}, "twin": {"Accept": "text/markdown"}}
    tags = {}
    for name, headers in wants.items():
        answer = ask(path, headers=headers)
        assert answer.headers["vary"] == "Accept"
        tags[name] = answer.headers["etag"]
        head = ask(path, "HEAD", headers=headers)
        assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", tags[name])
        assert head.headers["content-type"] == answer.headers["content-type"]
        assert head.headers["link"] == answer.headers["link"]
    assert tags["page"] != tags["twin"]
    for name, headers in wants.items():
        for known, status in ((tags[name], 304), (tags["twin" if name == "page" else "page"], 200)):
            answer = ask(path, headers={**headers, "If-None-Match": known})
            assert (answer.status_code, answer.headers["vary"]) == (status, "Accept")
    assert ask(FORMS["text/markdown"]).headers["etag"] == tags["twin"]


def test_files_that_are_markdown_are_not_negotiated(ask: Client) -> None:
    for route in ROUTES:
        if route.content_type == MARKDOWN:
            slug = SLUGS.get(route.subject.name, "")
            answer = ask(route.path.replace("{slug}", slug), headers={"Accept": "text/html"})
            assert (answer.headers["content-type"], "vary" in answer.headers) == (MARKDOWN, False)


def test_a_withdrawn_playbook_has_no_index_and_a_former_slug_leads_to_the_new_one(ask: Client) -> None:
    name = ".well-known/agent-skills/index.json"
    assert ask(f"/s/{BOOK}/{name}").headers["content-type"] == JSON
    assert ask(f"/s/gone/{name}").status_code == 404
    moved = ask(f"/s/old-flaky/{name}")
    assert (moved.status_code, moved.headers["location"]) == (308, f"/s/{BOOK}/{name}")
