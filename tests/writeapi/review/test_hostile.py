"""What strangers send to do harm and nobody could see: refused at the door, and nothing is kept of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from server.app import Service
from tests.builders import BOOK, write_content
from tests.service import Client, a_service
from tests.writeapi.review.hostile import HIDDEN, SLUGS, a_run, a_submission, obeyed

KINDS = ("use_case", "lesson", "correction", "playbook")
API = "/api/v1"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("door")
    made = a_service(folder, content=write_content(folder), write_limits="100000 per minute")
    yield made
    made.close()


def post(service: Service, path: str, body: Any) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Client(service)(API + path, "POST", content=content, headers={"Content-Type": "application/json"})


def places(value: Any, pointer: str = "") -> Iterator[str]:
    """Every text in a body, by its pointer."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, f"{pointer}/{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, f"{pointer}/{index}")
    else:
        yield pointer


@pytest.mark.slow
@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
@pytest.mark.parametrize("kind", ["run", *KINDS])
def test_what_nobody_sees_is_refused_in_every_field(service: Service, kind: str, text: str) -> None:
    body = a_run(text, text, BOOK) if kind == "run" else a_submission(kind, text, text)
    fixed = {"/playbook", "/outcome", "/kind", "/payload/sources/0"}
    answer = post(service, "/runs" if kind == "run" else "/submissions", body)
    assert answer.status_code == 422
    assert {item["pointer"] for item in answer.json()["errors"]} == set(places(body)) - fixed
    assert text not in json.dumps(answer.json(), ensure_ascii=False)


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_a_slug_is_a_slug_and_nothing_else(service: Service, slug: str) -> None:
    for path, body in (
        ("/runs", a_run("x", "x", slug)),
        *(("/submissions", a_submission(kind, "x", "x", playbook=slug)) for kind in KINDS),
    ):
        answer = post(service, path, body)
        assert answer.status_code == 422, path
        assert {item["pointer"] for item in answer.json()["errors"]} == {"/playbook"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"[" * 65_536, 400),
        (b'{"a":' * 13_000, 400),
        (b"[" * 65_537, 413),
        (json.dumps({**a_submission("lesson", "x", "x"), "body": "[" * 8_193}).encode(), 422),
        (json.dumps({**a_submission("lesson", "x", "x"), "body": "["}).encode().replace(b'"["', b'"\\ud800"'), 400),
        (json.dumps({**a_submission("lesson", "x", "x"), "body": "["}).encode().replace(b'"["', b'"\xff"'), 400),
        (b"title: &a [*a, *a]", 400),
        (b"!!python/object/apply:os.system [id]", 400),
    ],
)
def test_what_is_no_body_is_refused(service: Service, body: bytes, status: int) -> None:
    for path in ("/runs", "/submissions"):
        answer = post(service, path, body)
        assert answer.status_code == status
        assert answer.headers["Content-Type"].startswith("application/problem+json")


@pytest.mark.slow
def test_nothing_was_kept_of_what_was_refused(service: Service) -> None:
    assert service.services.store.queue_size().total == 0


@pytest.mark.parametrize(
    "html",
    [
        "<p onclick=x>",
        "<p style='x'>",
        "<zq9>",
        "<p zq9>",
        "<img src=//evil.example>",
        "<img src=https://evil.example>",
        "<a href=javascript:x>",
        "<a href=' JavaScript:x'>",
        "<a href=//evil.example>",
        "<a href='/\\evil.example'>",
        "<a href=data:x>",
        "<script>x</script>",
        "<form action=x:y>",
        "<iframe srcdoc=x>",
        "<base href=/>",
    ],
)
def test_the_reader_of_pages_notices(html: str) -> None:
    assert obeyed(html)
    assert obeyed("<a href='/x/'><img src=/assets/x.svg><script src=/a.js defer></script><p title='onclick=x'>") == []
