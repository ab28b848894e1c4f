"""The pages of review behind both servers: below `/review` alone, closed to other sites, with room for large drafts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from werkzeug.test import Client as WsgiClient

from server.app import Service
from server.wsgi import application
from tests.builders import BOOK, LESSON
from tests.rich import write_rich_content
from tests.service import HERE, Client, a_service
from tests.trees import built
from tests.writeapi.store.builders import a_run, a_submission, an_id, sha
from writeapi.keys import hash_of
from writeapi.store import Store
from writeapi.store.records import Review

SECRET, TOKEN = "a" * 64, "b" * 64


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = a_service(tmp_path_factory.mktemp("review"))
    signed_in(made.services.store)
    yield made
    made.close()


def signed_in(store: Store) -> None:
    """An editor with the session of `SECRET`."""
    store.add_contributor("ann", None, sha("ann"), "pbl_x")
    store.promote("ann", by="operator")
    store.open_session(sha("ann"), hash_of(SECRET), TOKEN)


def ask(service: Service, path: str, method: str = "GET", **options: Any) -> httpx.Response:
    """One request of the editor."""
    headers = {"Cookie": f"review={SECRET}", **options.pop("headers", {})}
    return Client(service)(path, method, headers=headers, **options)


def test_the_pages_answer_below_review_and_nowhere_else(service: Service) -> None:
    for path in ("/review", "/review/", "/review/?kind=run", "/review/on-its-way"):
        assert ask(service, path).status_code == 200, path
    assert "Nothing here" in ask(service, "/review/nothing/at/all").text
    for path in ("/reviews", "/reviewer/", "/api/v1/review", "/on-its-way"):
        answer = ask(service, path)
        assert (answer.status_code, "Nothing here" in answer.text) == (404, False), path


def test_nothing_of_them_is_open_to_other_sites(service: Service) -> None:
    for method in ("GET", "HEAD", "OPTIONS", "POST"):
        for path in ("/review/", "/review/sign-in", "/review/assets/review.js", "/review/nothing"):
            answer = ask(service, path, method, headers={"Origin": "https://elsewhere.example"})
            assert not [name for name in answer.headers if name.lower().startswith("access-control")]
            assert (answer.headers["Cache-Control"], answer.headers["Referrer-Policy"]) == ("no-store", "same-origin")


def test_a_stranger_is_led_to_the_sign_in(service: Service) -> None:
    answer = Client(service)("/review/")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/review/sign-in?next=%2F")
    assert "https://" in Client(service)("/review/sign-in").text  # this test's address is neither safe nor loopback


def test_a_draft_larger_than_any_write_of_the_interface_is_saved(service: Service) -> None:
    store, new = service.services.store, a_submission("large", kind="lesson", playbook=BOOK)
    store.add(new, None)
    store.screened(Review(new.id, 1, "accept", ()), reject=False)
    body = LESSON + "# " + "é" * 90_000 + "\n"
    form = {"csrf": TOKEN, "file": "lessons/large.yaml", "text": body, "base": "", "version": "2", "revision": "0"}
    assert ask(service, f"/review/{new.id}/save", "POST", data=form).status_code == 303
    draft = store.draft(new.id)
    assert draft
    assert draft.files[0].text == body
    assert ask(service, f"/review/{new.id}/save", "POST", data={**form, "text": "x" * 1_100_000}).status_code == 413


def test_the_preview_of_a_report_is_the_page_of_its_playbook(service: Service) -> None:
    service.services.store.add(a_run("previewed", lesson="Look at the seed."), None)
    answer = ask(service, f"/review/{an_id('run', 'previewed')}/preview/0")
    assert answer.status_code == 200
    assert "Look at the seed." in answer.text
    assert f"{HERE}/playbooks/{BOOK}/" in answer.text


def test_the_pages_are_mounted_beside_the_interface(tmp_path: Path) -> None:
    content = write_rich_content(tmp_path)
    built(content, tmp_path / "site", site_url=f"{HERE}/sub")
    places = {"PLAYBOOKS_SITE": tmp_path / "site", "PLAYBOOKS_VAR": tmp_path / "var", "PLAYBOOKS_CONTENT": content}
    client = WsgiClient(application({name: str(place) for name, place in places.items()}), use_cookies=False)
    answer = client.get("/review")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sub/review/sign-in?next=%2F")
    assert client.get("/review/sign-in").status_code == 200
    assert client.get("/api/v1/healthz").status_code == 200
    assert client.get("/reviewer").status_code == 404
    store = Store(f"sqlite:///{tmp_path / 'var/queue.db'}", clock=lambda: datetime.now(UTC))
    signed_in(store)
    store.add(a_run("there"), None)
    store.close()
    answer = client.get(f"/review/{an_id('run', 'there')}", headers={"Cookie": f"review={SECRET}"})
    assert answer.status_code == 200
    assert 'action="/sub/review/' in answer.text
