"""The pages of review over a small library: the application itself, an editor who is signed in, and what was sent."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from sqlalchemy import create_engine, text
from werkzeug.test import Client, TestResponse

from tests.builders import BOOK, LESSON, titled
from tests.writeapi.review.desk import a_contributor, a_desk, reported, sent
from writeapi.keys import hash_of, make_key
from writeapi.review.web.app import create_review_app
from writeapi.settings import ServiceSettings
from writeapi.store import Store
from writeapi.store.schema import metadata

HERE = "https://playbooks.test"
NEW_LESSON = titled(LESSON, "A new lesson").replace("needs load", "needs more load")
COMPILED: dict[str, bytes] = {}
Dump = dict[str, list[tuple[Any, ...]]]


class Compiled(BytecodeCache):
    """Templates compiled once for all tests, each of which has an application of its own."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take them from memory."""
        if bucket.key in COMPILED:
            bucket.bytecode_from_string(COMPILED[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep them in memory."""
        COMPILED[bucket.key] = bucket.bytecode_to_string()


class Pages:
    """The application, and one browser that asks it; `cookie` and `csrf` are those of the session in use."""

    def __init__(self, store: Store, url: str, folder: Path, **settings: Any) -> None:
        self.store, self.url = store, url
        self.review = a_desk(store, folder)
        told = ServiceSettings(
            **{
                "site_url": HERE,
                "database_url": url,
                "limits_path": folder / "limits.db",
                "write_limits": "100000 per minute",
                **settings,
            }
        )
        self.app: Flask = create_review_app(self.review, told, lambda: datetime(2026, 11, 23, 12, tzinfo=UTC))
        self.app.jinja_env.bytecode_cache = Compiled()
        self.client = Client(self.app, use_cookies=False)
        self.cookie, self.csrf = "", ""

    def ask(self, path: str, method: str = "GET", **options: Any) -> TestResponse:
        """One request over https, with the cookie of the session in use."""
        headers = {**({"Cookie": f"__Host-review={self.cookie}"} if self.cookie else {}), **options.pop("headers", {})}
        options.setdefault("environ_base", {"REMOTE_ADDR": "192.0.2.1"})
        return self.client.open(path, method=method, base_url=options.pop("base", HERE), headers=headers, **options)

    def post(self, path: str, form: dict[str, Any] | None = None, **options: Any) -> TestResponse:
        """A form as the pages make it, with the token of the session in use."""
        return self.ask(path, "POST", data={"csrf": self.csrf, **(form or {})}, **options)

    def sign_in(self, handle: str = "ann", *, editor: bool = True, again: bool = False) -> TestResponse:
        """Make a contributor, an editor unless told otherwise; sign in, in a new browser or in this one `again`."""
        self.cookie = self.cookie if again else ""
        key = make_key(self.review.random)
        self.store.add_contributor(handle, None, key.hash, key.prefix)
        if editor:
            self.store.promote(handle, by="operator")
        answer = self.ask("/sign-in", "POST", data={"key": key.text})
        if found := re.match("__Host-review=([0-9a-f]{64});", answer.headers.get("Set-Cookie", "")):
            self.cookie = found[1]
            session = self.store.session(hash_of(self.cookie))
            assert session
            self.csrf = session.csrf
        return answer

    def end_session(self) -> None:
        """End the session in use, as in another window."""
        found = self.store.session(hash_of(self.cookie))
        assert found
        self.store.close_session(hash_of(self.cookie), found.editor.id)

    def dump(self) -> Dump:
        """What stands in every table."""
        engine = create_engine(self.url)
        with engine.connect() as connection:
            found = {table.name: sorted(map(tuple, connection.execute(table.select())), key=repr) for table in TABLES}
        engine.dispose()
        return found

    def execute(self, statement: str) -> None:
        """Change the tables from outside."""
        engine = create_engine(self.url)
        with engine.begin() as connection:
            connection.execute(text(statement))
        engine.dispose()


TABLES = metadata.sorted_tables


def a_world(pages: Pages) -> dict[str, str]:
    """Something for every decision; gives the ids by what stands where."""
    store = pages.store
    cleo = a_contributor(store)
    editor = store.contributor("ann")
    assert editor
    lesson = "Two workers wrote to one folder."
    ids = {
        "pending": reported(store, "pending", outcome="failed", lesson=lesson, contributor_id=cleo.id),
        "approved": reported(store, "approved"),
        "screened": sent(store, "screened", kind="lesson", playbook=BOOK).id,
        "accepted": sent(store, "accepted", kind="lesson", playbook=BOOK).id,
    }
    assert pages.store.approve_runs([(ids["approved"], 1)], by="editor:c:1") == {}
    assert pages.post(f"/{ids['accepted']}/accept", a_draft("lessons/accepted.yaml")).status_code == 303
    return ids


def a_draft(file: str = "lessons/a-new-lesson.yaml", body: str = NEW_LESSON, **more: Any) -> dict[str, Any]:
    """The form of an item with one file, as browsers send it."""
    name = file.partition("/")[2].removesuffix(".yaml").replace("-", " ")
    crlf = body.replace("A new lesson", f"A {name}").replace("\n", "\r\n")
    return {"file": file, "text": crlf, "base": "", "version": "2", "revision": "0", **more}


class Page(HTMLParser):
    """A page's elements: `tags` with their attributes, and the `words` outside of them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep it."""
        self.tags.append((tag, dict(attrs)))
        self.words += " " * (tag in ("dd", "td", "li"))

    def handle_data(self, data: str) -> None:
        """Keep it."""
        self.words += data

    def values(self, name: str) -> list[str | None]:
        """The values of all fields of a form with this name."""
        return [attributes.get("value") for _, attributes in self.tags if attributes.get("name") == name]
