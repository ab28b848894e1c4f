"""Hostile texts all the way: sent, screened, shown to editors, accepted, published, built; and nobody obeys them."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import feedparser
import httpx
import pytest
import yaml
from markdown_it import MarkdownIt

from library.formatting import canonical, format_files
from library.loading import check
from library.problems import Severity
from library.yamlfile import parse
from server.app import Service
from server.engine import CurrentEngine
from server.review.words import shown
from server.shelf import ContentShelf
from tests.builders import BOOK, TODAY, write_content
from tests.service import HERE, Client, a_service
from tests.trees import built, tree
from tests.writeapi.review.hostile import Page, a_run, a_submission, hostile, obeyed
from tests.writeapi.review.outgoing import a_repository, branches, git
from tests.writeapi.store.builders import sha, wall_clock
from writeapi.keys import hash_of
from writeapi.review import decide
from writeapi.review.places import ContentFolder, is_place
from writeapi.review.publish import publish
from writeapi.review.screen import screen_all
from writeapi.review.services import ReviewServices
from writeapi.review.targets import ContentTarget
from writeapi.store import Store

pytestmark = pytest.mark.slow
SECRET, TOKEN = "a" * 64, "b" * 64
TEXTS = {name: (line, passage) for name, line, passage in hostile()}
HONEST = {
    "difficulty": "beginner", "cost": "Nothing.", "risk": "low", "risk_note": "Nothing is lost.", "check": "It is there.",
    "fix": "Do it again.", "category": "software", "title": "A page", "summary": "An honest sentence.", "time": "1 hour",
    "platform": "other", "agent": "Claude Code", "reported_outcome": "It went well.", "outcome": "A result.",
}  # fmt: skip


class Desk:
    """The service over a small library, an editor who is signed in, and what was sent: ids by kind and text."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.content = folder, write_content(folder)
        self.service: Service = a_service(folder, content=self.content, write_limits="100000 per minute")
        self.store = self.service.services.store
        self.store.add_contributor("ann", None, sha("ann"), "pbl_x")
        self.store.promote("ann", by="operator")
        editor = self.store.contributor("ann")
        assert editor
        self.editor = editor
        self.store.open_session(editor.id, hash_of(SECRET), TOKEN)
        shelf = ContentShelf(self.content, lambda: TODAY, HERE)
        self.review = ReviewServices(self.store, shelf, CurrentEngine(folder / "site"), secrets.token_bytes)
        self.ids: dict[tuple[str, str], str] = {}
        self.books: dict[str, str] = {}
        self.pages: dict[str, str] = {}

    def ask(self, path: str, method: str = "GET", **options: Any) -> httpx.Response:
        """One request of the editor."""
        return Client(self.service)(path, method, headers={"Cookie": f"review={SECRET}"}, **options)

    def send(self, kind: str, name: str, body: dict[str, Any]) -> None:
        """Send it by HTTP."""
        answer = Client(self.service)(f"/api/v1/{'runs' if kind == 'run' else 'submissions'}", "POST", json=body)
        assert answer.status_code == 201, (kind, name, answer.text)
        self.ids[kind, name] = answer.json()["id"]

    def screen(self) -> None:
        """Let the review agent look at all of it."""
        assert [done.skipped for done in screen_all(self.review) if not done.review] == []

    def look(self, subject: str) -> Page:
        """The desk's page of it, kept."""
        answer = self.ask(f"/review/{subject}")
        assert answer.status_code == 200
        self.pages[subject] = answer.text
        return Page(answer.text)

    def accept(self, kind: str, name: str) -> None:
        """As an editor does: open the page, fill what is empty by honest words, accept."""
        subject = self.ids[kind, name]
        page, item = self.look(subject), decide.item(self.review, subject)
        texts = [area.removeprefix("\n") for area in page.areas][: len(item.files)]
        assert texts == [file.text for file in item.files], (kind, name)
        assert list(shown(item, diff=True))
        self.pages[f"{subject}/preview"] = self.ask(f"/review/{subject}/preview/0").text
        files = page.values("file")[: len(texts)]
        edited = [mended(text, file, *TEXTS[name]) for text, file in zip(texts, files, strict=True)]
        form = {"csrf": TOKEN, "version": page.values("version"), "revision": page.values("revision")}
        form |= {"file": files, "text": edited, "base": page.values("base")[: len(texts)]}
        answer = self.ask(f"/review/{subject}/accept", "POST", data=form)
        assert answer.status_code == 303, (kind, name, Page(answer.text).words)

    def publish(self) -> None:
        """Put it into the folder, and build."""
        target = ContentTarget(ContentFolder(self.content), self.review.shelf)
        outcomes = list(publish(self.review, self.content, target, lambda _name: None))
        assert {outcome.result for outcome in outcomes} == {"written"}, [str(outcome) for outcome in outcomes]
        self.build()

    def build(self) -> None:
        """Build what is served."""
        built(self.content, self.folder / "site", TODAY, site_url=HERE)


def mended(text: str, file: str, line: str, passage: str) -> str:
    """A draft as an editor leaves it: known agents, honest words in empty places; a correction says what was sent."""
    values: Any = parse(text, file).value

    def filled(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: filled(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [filled(inner, key) for inner in value]
        return value or HONEST[key]

    whole = filled(values)
    if "agents" in whole:
        whole["agents"] = ["claude-code"]
    if "summary" in whole:
        whole["summary"] = whole["summary"][:400]
    if "outcome" in whole:
        whole["outcome"] = whole["outcome"][:600]
    return canonical(whole, file).decode()
