"""A long conversation with the write API, every answer in it, what every table holds afterwards: kept as a file.

A change that is meant shows as a difference of this file: `python -m tests.writeapi.golden` writes it anew.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Enum, Text, create_engine, select, type_coerce
from werkzeug.test import Client, TestResponse

from library.interface.resolving import Unresolved
from library.search.index import IndexUnusable, update_index
from library.search.query import SearchEngine
from tests.builders import BOOK
from tests.library.kept_answers import documents
from tests.writeapi.store.builders import migrated, sqlite_url, ticking
from writeapi import create_app
from writeapi.services import KnownPlaybook, Services
from writeapi.settings import ServiceSettings
from writeapi.store import Store
from writeapi.store.records import DraftFile, Finding, Review
from writeapi.store.schema import Moment, metadata

KEPT = Path(__file__).with_name("kept-conversation.txt")
MAIL = "ada" + "@" + "mail.museum"
NOT_SHOWN = ("X-Request-Id", "ETag", "RateLimit", "RateLimit-Policy", "Content-Length")
"""Headers that are never the same, that tests of the limits look at, or that follow from the body."""
RUN = {"playbook": BOOK, "agent": "Claude Code", "outcome": "worked"}
FULL = {
    **RUN,
    "playbook": "old-name",
    "outcome": "worked_with_changes",
    "agent_version": "2.1",
    "model": "m-1",
    "what_changed": "Two workers.\r\nNot one.",
    "lesson": "It waits.",
    "duration_minutes": 90.0,
    "reporter": "mo",
    "playbook_version": "0a1b2c3d4e5f",
}
LESSON = {"kind": "lesson", "title": "It waits", "body": "The whole of it.", "playbook": BOOK}
WHOLE = {
    "kind": "playbook",
    "title": "Rename a package",
    "body": "All of it.",
    "agent": "Aider",
    "source_url": "https://playbooks.dev/a",
    "reporter": "mo",
    "payload": {"title": "Rename", "agents": ["Aider"], "summary": "It does.", "prompt": "Do it.", "steps": ["One."]},
}
BOOKS = {
    BOOK: KnownPlaybook(BOOK, "f" * 12, withdrawn=False),
    "old-name": KnownPlaybook(BOOK, "f" * 12, withdrawn=False),
    "gone": KnownPlaybook("gone", "e" * 12, withdrawn=True),
}


class Conversation:
    """One client of one application; each answer is told as it comes."""

    def __init__(self, folder: Path, store: Store, url: str) -> None:
        (folder / "site").mkdir()
        update_index(folder / "site", documents(), fresh=True)
        engine = SearchEngine(folder / "site")
        chance = random.Random(1)
        self.index = True
        self.asked: list[int] = []

        def search() -> SearchEngine:
            if self.index:
                return engine
            raise IndexUnusable("It is damaged.")

        def some(count: int) -> bytes:
            self.asked.append(count)
            return chance.randbytes(count)

        many = "100000 per minute"
        settings = ServiceSettings(
            "https://playbooks.test", url, folder / "limits.db", trusted_proxies=1, write_limits=many,
            contributor_limits=many, least_free_mib=0,
        )  # fmt: skip
        app = create_app(
            Services(settings, store, some, lambda text: BOOKS.get(text) or Unresolved(()), lambda _id: False), search
        )
        self.store, self.client, self.told, self.key = store, Client(app), list[str](), ""

    def ask(self, path: str, method: str = "GET", body: Any = None, key: str = "", **headers: str) -> TestResponse:
        """One request, told with its answer."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        given |= {"Authorization": f"Bearer {key}"} if key else {}
        raw = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else None
        kind = given.pop("Content-Type", "application/json") if raw is not None else None
        self.asked.clear()
        answer = self.client.open(path, method=method, data=raw, headers=given, content_type=kind)
        shown = {name: value for name, value in answer.headers if name not in NOT_SHOWN}
        self.told += [f"=== {method} {path} {given}", f"{answer.status_code} {shown}", answer.text]
        self.told += [f"random: {self.asked}"] if self.asked else []
        return answer


def told(folder: Path) -> str:
    """The conversation, and then every row of every table."""
    url = sqlite_url(folder / "queue.db")
    store = migrated(Store(url, clock=ticking(), wait=5), url)
    talk = Conversation(folder, store, url)
    try:
        _contributors(talk)
        _runs(talk)
        _submissions(talk)
        _reads(talk)
        text = "\n".join([*talk.told, *_rows(url)]) + "\n"
        text = re.sub(r"((?:pbl|edt)_[0-9A-Za-z]{8})[0-9A-Za-z]{35,}", r"\1…", text.replace(MAIL, "a mail"))
        return re.sub(r'("score":\d+\.\d)\d*', r"\1", text)  # processors differ in the last digits
    finally:
        store.close()


def _contributors(talk: Conversation) -> None:
    made = talk.ask("/contributors", "POST", {"handle": "Cleo", "email": MAIL}).json
    assert made
    bad: list[Any] = [
        {"handle": "cleo"},
        {"handle": "x"},
        {"handle": "root"},
        {"handle": "mo", "email": "no mail"},
        {},
        [],
    ]
    for body in bad:
        talk.ask("/contributors", "POST", body)
    key = made["api_key"]
    talk.ask("/contributors/me")
    talk.ask("/contributors/me", key=key[:-1] + "x")
    talk.ask("/contributors/me", key=key)
    further = talk.ask("/contributors/me/keys", "POST", key=key).json
    assert further
    talk.ask("/contributors/me", key=further["api_key"])
    for prefix in ("x", "pbl_aaaaaaaa", key[:12], key[:12]):
        talk.ask(f"/contributors/me/keys/{prefix}", "DELETE", key=further["api_key"])
    talk.ask("/contributors/me", key=key)
    talk.key = further["api_key"]


def _runs(talk: Conversation) -> None:
    key = talk.key
    talk.ask("/runs", "POST", RUN)
    talk.ask("/runs", "POST", FULL)
    talk.ask("/runs", "POST", FULL, key=key, X_Forwarded_For="192.0.2.7")
    for _ in range(2):
        talk.ask("/runs", "POST", RUN, Idempotency_Key="one")
    talk.ask("/runs", "POST", FULL, Idempotency_Key="one")
    talk.ask("/runs", "POST", RUN, Idempotency_Key="one", X_Forwarded_For="192.0.2.8")
    for odd in ("", "a b", "x" * 256):
        talk.ask("/runs", "POST", RUN, Idempotency_Key=odd)
    talk.ask("/runs", "POST", RUN, Idempotency_Key="x" * 255)
    bad = {**RUN, "playbook": "gone", "outcome": "fine", "duration_minutes": 1.5, "lesson": f"Ask {MAIL}.", "odd~/": 1}
    for body in (bad, {**RUN, "playbook": "none"}, {}, {MAIL: 1}, b"{", b"", b'{"a": NaN}', b"x" * 65_537):
        talk.ask("/runs", "POST", body)
    talk.ask("/runs", "POST", RUN, Content_Type="text/plain")
    talk.ask("/runs", "POST", RUN, Content_Type="application/json; charset=latin-1")
    talk.ask("/runs", "POST", RUN, Content_Encoding="gzip")
    talk.ask("/runs", "POST", RUN, key="nonsense")
    talk.ask("/runs")


def _submissions(talk: Conversation) -> None:
    key, store = talk.key, talk.store
    answers = [
        talk.ask("/submissions", "POST", LESSON, key=key),
        talk.ask("/submissions", "POST", WHOLE),
        talk.ask("/submissions", "POST", LESSON, Idempotency_Key="two"),
        talk.ask("/submissions", "POST", LESSON, Idempotency_Key="two"),
    ]
    for body in ({**WHOLE, "payload": None}, {**LESSON, "playbook": "none"}, {**LESSON, "title": "", "kind": "x"}):
        talk.ask("/submissions", "POST", body)
    mine, whole, other = ((answer.json or {}) for answer in answers[:3])
    path = f"/submissions/{mine['id']}"
    for name in (path, "/submissions/sub_x", "/submissions/sub_" + "a" * 26, "/submissions/"):
        talk.ask(name)
    talk.ask(path, "PUT", LESSON)
    talk.ask(path, "PUT", LESSON, key=other["edit_token"])
    talk.ask(path, "PUT", LESSON, key=key)
    store.screened(Review(mine["id"], 2, "editor", (Finding("thin", "/body", "Which?"),)), reject=False)
    reasons = ["unclear", "needs-source"]
    store.move(mine["id"], "changes_requested", by="editor:c:1", reasons=reasons, note="Say how.")
    talk.ask(path)
    talk.ask(path, "PUT", {**LESSON, "kind": "correction"}, key=key)
    talk.ask(path, "PUT", {**LESSON, "title": "It still waits", "playbook": None}, key=key)
    talk.ask(path, "PUT", {**LESSON, "title": "It still waits", "agent": "Aider"}, key=mine["edit_token"])
    talk.ask(f"/submissions/{whole['id']}", "DELETE")
    talk.ask(f"/submissions/{whole['id']}", "DELETE", key=whole["edit_token"])
    talk.ask(f"/submissions/{whole['id']}", "DELETE", key=whole["edit_token"])
    store.screened(Review(other["id"], 1, "accept", ()), reject=False)
    store.accept(
        other["id"], [DraftFile("lessons/it-waits.yaml", "title: It waits\n", None)], by="editor:c:1", version=2
    )
    talk.ask(f"/submissions/{other['id']}")
    store.move(other["id"], "published", version=3, by="publisher", place="https://playbooks.test/lessons/it-waits/")
    talk.ask(f"/submissions/{other['id']}")
    store.revoke_contributor("cleo", by="operator", withdraw_runs=True)
    talk.ask(path, "DELETE", key=mine["edit_token"])
    talk.ask(path, "DELETE", key=key)


def _reads(talk: Conversation) -> None:
    talk.ask("/search?q=repair+tests&limit=2")
    talk.ask("/search?q=repair&type=lesson&limit=1&min_trust=&agent=&profile=fast")
    for query in (
        *("", "q=+", "q=x&q=y", f"q={'x' * 501}", "q=x&odd~/=1&type=x&min_trust=x&profile=x&limit=0", "q=x&limit=51"),
        *("q=x&limit=1.5", "q=x&limit=000001", "q=x&limit=50"),
    ):
        talk.ask(f"/search?{query}")
    talk.ask("/healthz")
    talk.ask("/readyz")
    talk.index = False
    talk.ask("/search?q=x")
    talk.ask("/readyz")
    talk.ask("/nothing")
    talk.ask("/healthz", "POST", {})


def _rows(url: str) -> Iterator[str]:
    """Every row of every table, times and states as they lie there."""
    engine = create_engine(url)
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            yield f"=== {table.name}"
            columns = [type_coerce(it, Text) if isinstance(it.type, Moment | Enum) else it for it in table.columns]
            yield from sorted(str(tuple(row)) for row in connection.execute(select(*columns)))
    engine.dispose()


def main() -> None:
    """Keep what is told now."""
    with tempfile.TemporaryDirectory() as folder:
        KEPT.write_text(told(Path(folder)))


if __name__ == "__main__":
    main()
