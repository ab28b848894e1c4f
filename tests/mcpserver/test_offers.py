"""What is listed: resources, skills and prompts, in pages; each is readable, and nothing else is."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
import yaml
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, Request, ResourceTemplateReference, Result
from pydantic import ConfigDict

from library.interface.answers import PROVENANCE_NOTE
from mcpserver import library
from server.app import Service
from tests.builders import BOOK
from tests.service import Client as Http

from .conftest import MODERN, Asker

OFFERED = [BOOK, "older", "write-tests"]


class Anything(Result):
    """Whatever an extension answers."""

    model_config = ConfigDict(extra="allow")


async def extension(client: Client, method: str, **params: Any) -> dict[str, Any]:
    request = Request[dict[str, Any], str](method=method, params=params)
    found = await client.session.send_request(request, Anything)
    return dict(found.model_extra or {})


def to_read(uri: str) -> Callable[[Client], Awaitable[Any]]:
    return lambda client: client.read_resource(uri)


def to_get(uri: str) -> Callable[[Client], Awaitable[Any]]:
    return lambda client: extension(client, "skills/get", uri=uri)


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of two, so that a small library has several."""
    monkeypatch.setattr(library.page, "__defaults__", (2,))


async def every(listing: Callable[..., Awaitable[Any]], name: str) -> list[Any]:
    found: list[Any] = []
    cursor = None
    while True:
        answer = await listing(cursor=cursor) if cursor else await listing()
        found += getattr(answer, name)
        cursor = answer.next_cursor
        if cursor is None:
            return found


@pytest.mark.usefixtures("small_pages")
def test_resources_are_every_playbook_twice(asker: Asker) -> None:
    listed = asker(lambda client: every(client.list_resources, "resources"))
    uris = [resource.uri for resource in listed]
    assert uris == [uri for slug in OFFERED for uri in (f"playbook://{slug}", f"skill://{slug}/SKILL.md")]
    http = Http(asker.service)
    for resource in listed:
        slug = resource.uri.partition("://")[2].partition("/")[0]
        read = asker(to_read(resource.uri)).contents[0]
        path = f"/playbooks/{slug}.md" if resource.uri.startswith("playbook") else f"/skills/{slug}/SKILL.md"
        assert read.text == http(path).text
        assert read.mime_type == "text/markdown"
        assert resource.size in (None, len(read.text.encode()))


def test_templates_lead_to_both_forms(asker: Asker) -> None:
    templates = asker(Client.list_resource_templates).resource_templates
    assert [template.uri_template for template in templates] == [
        "playbook://{slug}",
        "skill://{slug}/SKILL.md",
        "skill://{slug}/versions/{version}/SKILL.md",
        "skill://{slug}/{folder}/{name}",
    ]


@pytest.mark.parametrize(
    "uri",
    [
        "playbook://no-such",
        "playbook://..",
        "playbook://../x",
        "playbook://fix-flaky-tests/../gone",
        "playbook://fix-flaky-tests/SKILL.md",
        "playbook://fix--flaky-tests",
        "playbook://%66ix-flaky-tests",
        "playbook://fix-flaky-tests\x00",
        "playbook://fix-flaky-tests\n",
        "skill://fix-flaky-tests",
        "skill://fix-flaky-tests/OTHER.md",
        "skill://../../etc/passwd/SKILL.md",
        "skill://old-flaky/SKILL.md",
        "skill://fix-flaky-tests/versions/000000000000/SKILL.md",
        "skill://no-such/versions/000000000000/SKILL.md",
        "skill://fix-flaky-tests/versions/../SKILL.md",
        "file:///etc/passwd",
        "",
        "x" * 100_000,
    ],
)
def test_any_other_address_is_not_found(reading: Service, uri: str) -> None:
    asker = Asker(reading)
    with pytest.raises(MCPError, match="Resource not found") as error:
        asker(lambda client: client.read_resource(uri))
    assert error.value.code == -32602
    assert error.value.data["uri"] == uri[:2_000]


@pytest.mark.usefixtures("small_pages")
def test_skills_carry_what_a_client_checks(reading: Service) -> None:
    asker = Asker(reading, MODERN)
    assert asker(_capabilities) == {"io.modelcontextprotocol/skills": {}}
    first = asker(lambda client: extension(client, "skills/list"))
    assert first["cacheScope"] == "public"
    second = asker(lambda client: extension(client, "skills/list", cursor=first["nextCursor"]))
    assert "nextCursor" not in second
    skills = [*first["skills"], *second["skills"]]
    assert [skill["uri"] for skill in skills] == [f"skill://{slug}/SKILL.md" for slug in OFFERED]
    for skill in skills:
        assert asker(to_get(skill["uri"]))["skill"] == skill
        raw = asker(to_read(skill["uri"])).contents[0].text.encode()
        assert skill["resources"][:1] == [
            {"uri": skill["uri"], "digest": f"sha256:{hashlib.sha256(raw).hexdigest()}", "size": len(raw)}
        ]
        assert skill["frontmatter"] == yaml.safe_load(raw.decode().split("---\n")[1])


async def _capabilities(client: Client) -> dict[str, dict[str, Any]] | None:
    capabilities = client.server_capabilities
    return capabilities.extensions if capabilities else None


@pytest.mark.parametrize("uri", ["skill://gone/SKILL.md", "skill://no-such/SKILL.md", "playbook://fix-flaky-tests", ""])
def test_a_skill_that_is_not_offered_is_told(reading: Service, uri: str) -> None:
    with pytest.raises(MCPError, match="Skill not found; look in skills/list") as error:
        Asker(reading, MODERN)(lambda client: extension(client, "skills/get", uri=uri))
    assert error.value.code == -32602


@pytest.mark.usefixtures("small_pages")
def test_prompts_are_every_playbook_s_and_its_variants(asker: Asker) -> None:
    listed = asker(lambda client: every(client.list_prompts, "prompts"))
    assert [prompt.name for prompt in listed] == ["use_playbook", BOOK, f"{BOOK}.cursor", "older", "write-tests"]
    book = listed[1]
    assert [(argument.name, argument.required) for argument in book.arguments] == [("repository", False)]
    assert listed[2].description == "It has no shell."


@pytest.mark.parametrize("cursor", ["x", "c2tpbGxzCng", "\x00", "a" * 1000])
def test_a_cursor_that_no_list_gave_is_told(reading: Service, cursor: str) -> None:
    asker = Asker(reading)
    for listing in (Client.list_prompts, Client.list_resources):
        with pytest.raises(MCPError, match="cursor") as error:
            asker(partial(listing, cursor=cursor))
        assert error.value.code == -32602


def test_a_prompt_is_filled_in_and_brings_the_playbook(asker: Asker) -> None:
    answer = asker(lambda client: client.get_prompt(BOOK, {"repository": "https://example.com/{{repository}}\\1"}))
    text, whole = (message.content for message in answer.messages)
    book = Http(asker.service)(f"/api/v1/playbooks/{BOOK}").json()
    assert text.text == f"{PROVENANCE_NOTE}\n\n" + book["prompt"].replace(
        "{{repository}}", "https://example.com/{{repository}}\\1"
    )
    assert whole.resource.uri == f"playbook://{BOOK}"
    assert whole.resource.text == Http(asker.service)(f"/playbooks/{BOOK}.md").text


def test_a_variable_that_is_not_given_is_asked_for(asker: Asker) -> None:
    text = asker(lambda client: client.get_prompt("use_playbook", {"slug": "old-flaky"})).messages[0].content.text
    assert text.endswith("Ask the user what stands for {{repository}}.")
    assert "{{repository}} are flaky" in text


def test_any_prompt_is_asked_for_as_playbooks_are(asker: Asker) -> None:
    def of(slug: str) -> str:
        answer = asker(lambda client: client.get_prompt("use_playbook", {"slug": slug, "repository": "r"}))
        return str(answer.messages[0].content.text)

    read = of("Fix flaky tests")
    assert read == f"{of(BOOK)}\n\n'Fix flaky tests' was read as the playbook `{BOOK}`, by its spelling."
    with pytest.raises(MCPError, match=r"There is no playbook 'tune a piano'; find_playbook finds slugs\."):
        of("tune a piano")


def test_an_agent_has_its_variant_or_the_main_prompt(asker: Asker) -> None:
    def of(**sent: str) -> str:
        answer = asker(lambda client: client.get_prompt("use_playbook", {"slug": BOOK, "repository": "r", **sent}))
        return str(answer.messages[0].content.text)

    assert "Open r and look." in of(agent="cursor") == of(agent="Cursor")
    assert "Find out why" in of(agent="claude-code")
    assert of(agent="claude-code").endswith("There is no variant for claude-code; this is the prompt for every agent.")
    assert "There is no variant" not in of() + of(agent="cursor")
    named = asker(lambda client: client.get_prompt(f"{BOOK}.cursor", {"repository": "r"}))
    assert named.messages[0].content.text == of(agent="cursor")


@pytest.mark.parametrize("agent", ["vim", "../x", "\x00", "x" * 100_000])
def test_an_agent_that_is_not_known_has_the_prompt_for_every_agent(reading: Service, agent: str) -> None:
    """As `find_playbook` does: the prompt, and a sentence that says which one it is."""
    told = Asker(reading)(lambda client: client.get_prompt("use_playbook", {"slug": BOOK, "agent": agent}))
    said = told.messages[0].content.text.rpartition("\n\n")[2]
    assert said.endswith("; this is the prompt for every agent.")
    assert len(said) < 150


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("use_playbook", {}),
        ("use_playbook", {"slug": "no-such"}),
        ("use_playbook", {"slug": "../x"}),
        ("use_playbook", {"slug": "gone"}),
        ("use_playbook", {"slug": BOOK, "colour": "red"}),
        (BOOK, {"slug": "x"}),
        (f"{BOOK}.vim", {}),
        ("gone", {}),
        ("../x", {}),
        ("\x00", {}),
        ("x" * 100_000, {}),
    ],
)
def test_a_prompt_that_cannot_be_made_is_told(reading: Service, name: str, sent: dict[str, str]) -> None:
    asker = Asker(reading)
    with pytest.raises(MCPError) as error:
        asker(lambda client: client.get_prompt(name, sent))
    assert error.value.code == -32602
    assert len(error.value.message) < 400


def test_slugs_and_agents_complete(asker: Asker) -> None:
    def values(reference: Any, name: str, begun: str, **chosen: str) -> list[str]:
        argument = {"name": name, "value": begun}
        answer = asker(lambda client: client.complete(reference, argument, chosen or None))
        return list(answer.completion.values)

    use = PromptReference(name="use_playbook")
    assert values(use, "slug", "") == OFFERED
    assert values(use, "slug", "fix") == values(use, "slug", "Flaky te") == values(use, "slug", "tests fix") == [BOOK]
    assert values(use, "agent", "", slug=BOOK) == ["cursor"]
    assert values(use, "agent", "cl") == ["claude-code"]
    assert values(use, "nothing", "") == []
    assert values(ResourceTemplateReference(uri="playbook://{slug}"), "slug", "wri") == ["write-tests"]
