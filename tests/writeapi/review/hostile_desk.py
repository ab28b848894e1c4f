"""An editor's desk for hostile texts: they are sent by HTTP, screened, shown, accepted as they are, and published."""

from __future__ import annotations

import secrets
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from library.content.formatting import canonical
from library.content.yamlfile import parse
from library.rules.checks.within import variables_in
from server.app import Service
from server.queue import ContentShelf
from tests.builders import BOOK, PROMPT, TODAY, write_content
from tests.lengths import many
from tests.service import HERE, Client, a_service
from tests.trees import built
from tests.writeapi.review.hostile import BEYOND, REFUSED, Page, hostile
from tests.writeapi.store.builders import sha
from writeapi.keys import hash_of
from writeapi.review.decisions import decide
from writeapi.review.publishing.publish import publish
from writeapi.review.publishing.targets import ContentTarget
from writeapi.review.screening.screen import screen_all
from writeapi.review.services import ReviewServices
from writeapi.review.web.pages import as_text

SECRET, TOKEN = "a" * 64, "b" * 64
FIRST = ("playbook", "lesson", "use_case")
TEXTS = {name: (line, passage) for name, line, passage in list(hostile())[:: many(2, 1)]}
"""Every second text, so of each family some, and all of them in the long form; `test_hostile.py` has all always."""

NOT_IN_FILES = (REFUSED.keys() | BEYOND) & TEXTS.keys()
HONEST = {
    "difficulty": "beginner", "risk": "low", "check": "`ls` lists it.", "category": "software", "platform": "other",
    "summary": "An honest sentence.", "essence": "Do it, see it, mind it.",
    "no_trial": "It needs the owner.", "meaning": "What it says.", "example": "one", "where": "At hand.", "url": "https://example.com/told",
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
        self.store.open_session(sha("ann"), hash_of(SECRET), TOKEN)
        shelf = ContentShelf(self.content, lambda: TODAY, HERE)
        self.review = ReviewServices(self.store, shelf, secrets.token_bytes)
        self.ids: dict[tuple[str, str], str] = {}
        self.books: dict[str, str] = {}
        self.refused: dict[tuple[str, str], str] = {}
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
        assert as_text(item, diff=True)
        self.pages[f"{subject}/preview"] = self.ask(f"/review/{subject}/preview/0").text
        files = page.values("file")[: len(texts)]
        edited = [mended(text, file, *TEXTS[name]) for text, file in zip(texts, files, strict=True)]
        form = {"csrf": TOKEN, "version": page.values("version"), "revision": page.values("revision")}
        form |= {"file": files, "text": edited, "base": page.values("base")[: len(texts)]}
        answer = self.ask(f"/review/{subject}/accept", "POST", data=form)
        self.pages[f"{subject}/accept"] = answer.text
        if answer.status_code == 422:
            self.refused[kind, name] = subject
            assert [area.removeprefix("\n") for area in Page(answer.text).areas][: len(texts)] == edited
            return
        assert answer.status_code == 303, (kind, name, Page(answer.text).words)
        if kind == "playbook":
            self.books[name] = files[0].removeprefix("playbooks/").removesuffix(".yaml")

    def decide(self, kinds: tuple[str, ...]) -> None:
        """Screen all, and accept or approve what can be."""
        self.screen()
        for kind, name in [pair for pair in self.ids if pair[0] in kinds]:
            self.accept(kind, name)
        runs = {name: subject for (kind, name), subject in self.ids.items() if kind == "run"} if kinds == FIRST else {}
        for name in [name for number, name in enumerate(runs) if number % 2 and name not in NOT_IN_FILES]:
            line, passage = TEXTS[name]
            told = {"to": "lesson", "title": f"{name}: {line}", "problem": passage, "fix": passage}
            made = decide.promote(self.review, self.editor, runs.pop(name), 1, **told)  # type: ignore[arg-type]  # texts
            self.ids["promoted", name] = made
        why = decide.approve(self.review, self.editor, [(subject, 1) for subject in runs.values()])
        self.refused |= {pair: subject for pair, subject in self.ids.items() if subject in why}

    def keep_a_copy(self) -> None:
        """The content and the queue as they are before anything is published."""
        (self.folder / "copy").mkdir()
        shutil.copytree(self.content, self.folder / "copy/content")
        with (
            closing(sqlite3.connect(self.folder / "queue.db")) as here,
            closing(sqlite3.connect(self.folder / "copy/queue.db")) as there,
        ):
            here.backup(there)

    def publish(self) -> None:
        """Put it into the folder, and build."""
        target = ContentTarget(self.content, self.review.shelf)
        outcomes = list(publish(self.review, self.content, target))
        assert [str(outcome) for outcome in outcomes if outcome.result != "written"] == []
        self.build()

    def build(self) -> None:
        """Build what is served."""
        built(self.content, self.folder / "site", TODAY, site_url=HERE)


def complete(book: dict[str, Any]) -> None:
    """Add what a playbook lacks before it may come in: words and an input in its prompt, steps, failures, evidence."""
    if len(book["prompt"].split()) < 80 or "{{" not in book["prompt"]:
        book["prompt"] = f"{book['prompt']}\n\n{PROMPT}"
    for name in ("essence", "no_trial"):
        book.setdefault(name, HONEST[name])
    about = {key: HONEST[key] for key in ("meaning", "example", "where")}
    explained = {item["name"] for item in book.setdefault("inputs", [])}
    book["inputs"] += [{"name": name, **about} for name in variables_in(book["prompt"]) if name not in explained]
    for number in range(len(book["steps"]), 5):
        book["steps"].append(
            {"title": f"Part {number}", "detail": "Do it.", "check": f"Part {number} is written down."}
        )
    failures = book.setdefault("failures", [])
    failures.extend({"problem": f"Fault {number}.", "fix": "Mend it."} for number in range(len(failures), 3))
    account = {"title": "A day", "url": "https://example.com/a-day", "platform": "blog", "agent": "Claude Code"}
    book.setdefault("evidence", [{**account, "reported_outcome": "It worked."}])


def mended(text: str, file: str, line: str, passage: str) -> str:
    """A draft as a careless editor leaves it: known agents, what was sent in most empty places, and something new."""
    values: Any = parse(text, file).value
    told = {
        "risk_note": passage,
        "cost": line,
        "fix": passage,
        "title": line,
        "reported_outcome": passage,
        "agent": line,
    }

    def filled(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: filled(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [filled(inner, key) for inner in value]
        return value or told.get(key) or HONEST[key]

    whole = filled(values)
    for name, longest in (("summary", 400), ("outcome", 600)):
        if name in whole:
            whole[name] = whole[name][:longest]
    if "agents" in whole:
        whole["agents"] = ["claude-code"]
    if file.startswith("lessons/"):
        whole.setdefault("playbooks", [BOOK])
    if file.startswith("playbooks/"):
        looks = whole.get("human_checkpoints", [])
        whole["human_checkpoints"] = [*looks, f"A person looks at all of it, time {len(looks) + 1}."]
        complete(whole)
    return canonical(whole, file).decode()
