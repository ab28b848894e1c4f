"""Links and commands that give a client the library: each leads to the right address, read as its client reads it."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from build.views.rendering import mcp_links
from tests.builders import BOOK
from tests.generator.test_renditions import Page

PROJECT = Path(__file__).resolve().parents[2]
HERE = "https://playbooks.example/mcp"
COMMANDS = (
    "claude mcp add --transport http playbooks {}",
    "codex mcp add playbooks --url {}",
    "gemini mcp add --transport http playbooks {}",
)
Server = tuple[str | None, str, str]


def of_code(link: str) -> Server:
    start, _, sent = link.partition("?")
    assert start == "vscode:mcp/install"
    server = json.loads(unquote(sent))
    return server["name"], server["type"], server["url"]


def of_cursor(link: str) -> Server:
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == ("cursor", "anysphere.cursor-deeplink", "/mcp/install")
    asked = parse_qs(parts.query, strict_parsing=True)
    return asked["name"][0], "http", json.loads(b64decode(asked["config"][0], validate=True))["url"]


def of_goose(link: str) -> Server:
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == ("goose", "extension", "")
    asked = parse_qs(parts.query, strict_parsing=True)
    assert asked["type"] == ["streamable_http"]
    return asked["name"][0], "http", asked["url"][0]


READ: Mapping[str, Callable[[str], Server]] = {"VS Code": of_code, "Cursor": of_cursor, "Goose": of_goose}


@pytest.mark.parametrize("address", [HERE, "http://127.0.0.1:8000/a+b/~c%20d/mcp", "https://x.example/ä?&=/mcp"])
def test_each_link_is_read_back_as_the_server(address: str) -> None:
    assert {name: READ[name](link) for name, link in mcp_links(address)} == dict.fromkeys(
        READ, ("playbooks", "http", address)
    )
    assert all(re.fullmatch(r"[\x21-\x7e]+", link) for _, link in mcp_links(address))


def test_every_page_of_a_playbook_has_them(rich_site: Path) -> None:
    page = Page((rich_site / f"playbooks/{BOOK}/index.html").read_text(encoding="utf-8"))
    there = {str(attributes.get("href")) for tag, attributes in page.tags if tag == "a"}
    assert {link for _, link in mcp_links(HERE)} <= there
    assert "\n".join(COMMANDS).replace("{}", HERE) in page.words
    gone = Page((rich_site / "playbooks/gone/index.html").read_text(encoding="utf-8"))
    assert "mcp add" not in gone.words


def test_the_page_for_agents_has_them() -> None:
    text = (PROJECT / "docs/agents.md").read_text(encoding="utf-8")
    for way in (
        *(link for _, link in mcp_links("https://library.example/mcp")),
        *(command.format("https://library.example/mcp") for command in COMMANDS),
    ):
        assert f"\n{way}\n" in text.replace("\n$ ", "\n")


def test_a_filled_prompt_opens_in_apps_and_goes_to_no_site(rich_site: Path) -> None:
    page = Page((rich_site / f"playbooks/{BOOK}/run/index.html").read_text(encoding="utf-8"))
    opens = [str(attributes["data-open"]) for _, attributes in page.tags if "data-open" in attributes]
    assert {urlsplit(link).scheme for link in opens} == {"claude", "cursor"}, "a web address would send what was typed"
