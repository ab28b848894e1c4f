"""The copy without a live part: every read but search and submissions answers, and what is away says so."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import brotli
import msgspec
import orjson
import pytest
from playwright.sync_api import Browser, expect

from build.output.compress import compress
from build.views.routes import API, ROUTES
from library.interface.operations import OPERATIONS
from server.deploy.commands import AWAY, live
from tests import calls
from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK
from tests.deploy.static import static_copy
from tests.nginx import Nginx, needs_nginx

pytestmark = [pytest.mark.slow, pytest.mark.system, needs_nginx]
__all__ = ["browser"]
SAMPLES = {"{playbook}": BOOK, "{agent}": "cursor", "{lesson}": "stress-run-is-green-without-the-fix-too"}
SAMPLES |= {"{job}": BOOK, "{reported}": BOOK, "{year}": "2026", "{month}": "10"}
SAMPLES |= {"{task}": BOOK, "{category}": "software"}
FILES = [
    operation
    for operation in OPERATIONS
    if not operation.live and "{number}" not in operation.path and operation.path != "/changes/{slug}"
]
"""All but later parts of long lists and days of changes, which a small library without a history has none of."""


@pytest.fixture(scope="module")
def copy(content: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    folder = tmp_path_factory.mktemp("copy")
    with static_copy(content, folder, release=True) as served:
        assert compress(folder / "site", content, jobs=1) > 50
        yield served


@pytest.fixture(scope="module")
def site(copy: Nginx) -> Path:
    return copy.folder.parent / "site"


@pytest.mark.parametrize("operation", FILES, ids=lambda operation: operation.name)
def test_every_read_that_is_a_file_answers(copy: Nginx, operation: object) -> None:
    path = operation.path  # type: ignore[attr-defined]  # pytest gives an Operation
    for parameter in operation.parameters:  # type: ignore[attr-defined]
        path = path.replace(f"{{{parameter.name}}}", SAMPLES.get(str(parameter.sample), str(parameter.sample)))
    answer = calls.get(copy.url + API + path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.headers["access-control-allow-origin"] == "*"
    again = calls.get(str(answer.url), headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_every_page_and_rendition_answers(copy: Nginx, site: Path) -> None:
    kinds = {route.file: route.content_type for route in ROUTES if route.view and "{" not in route.file}
    for file, kind in kinds.items():
        path = file.removesuffix("index.html") if not file.startswith("api/") else file
        answer = calls.get(f"{copy.url}/{path}")
        assert (answer.status_code, answer.headers["content-type"]) == (200, kind), path
        assert answer.content == (site / file).read_bytes()


@pytest.mark.parametrize(("path", "methods"), [*live().items()], ids=str)
def test_what_is_live_says_why_it_is_away(copy: Nginx, path: str, methods: tuple[str, ...]) -> None:
    for method in methods:
        if path == f"{API}/runs" and method != "POST":
            continue
        answer = calls.request(
            method,
            copy.url
            + path.replace("{id}", "x").replace("{prefix}", "x").replace("{slug}", "x").replace("{version}", "0" * 12),
            json={},
        )
        assert answer.status_code == 503
        assert answer.headers["content-type"] == "application/problem+json"
        if method != "HEAD":
            assert answer.json()["detail"] == AWAY
            search = path.endswith("/search")
            assert answer.json()["type"].endswith("#search-unavailable" if search else "#unavailable")


def test_any_list_may_take_a_post_too(content: Path, tmp_path: Path) -> None:
    posted = msgspec.structs.replace(
        next(operation for operation in OPERATIONS if operation.method == "POST"), path="/tasks"
    )
    with static_copy(content, tmp_path, operations=(*OPERATIONS, posted)) as copy:
        tasks = f"{copy.url}{API}/tasks"
        assert calls.get(tasks).json() == calls.get(f"{tasks}.json").json()
        assert calls.head(tasks).headers["content-type"] == "application/json"
        sent = calls.post(tasks, json={})
        assert (sent.status_code, sent.json()["detail"]) == (503, AWAY)
        for method, status in (("DELETE", 405), ("OPTIONS", 204)):
            answer = calls.request(method, tasks)
            assert (answer.status_code, answer.headers["allow"]) == (status, "GET, HEAD, OPTIONS, POST")
        assert calls.post(f"{tasks}.json").status_code == 405
        assert calls.post(f"{copy.url}{API}/agents").headers["allow"] == "GET, HEAD, OPTIONS"


def test_forms_say_why_they_are_away(copy: Nginx) -> None:
    answer = calls.get(f"{copy.url}/submissions/?id=sub_aaaaaaaaaaaaaaaaaaaaaaaaaa")
    assert (answer.status_code, answer.headers["content-type"]) == (503, "text/html; charset=utf-8")
    assert AWAY in answer.text
    told = calls.post(f"{copy.url}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert (told.status_code, told.json()["error"]["message"]) == (503, AWAY)
    assert calls.get(f"{copy.url}/review/").status_code == 503


def test_compressed_forms_are_sent_with_tags_of_their_own(copy: Nginx, site: Path) -> None:
    url, file = f"{copy.url}{API}/playbooks/{BOOK}", site / f"api/v1/playbooks/{BOOK}.json"
    tags = set()
    for accepted, encoding, opened in (
        ("br", "br", brotli.decompress),
        ("gzip", "gzip", gzip.decompress),
        ("br, gzip", "br", brotli.decompress),
        ("identity", None, bytes),
        ("gzip;q=0", None, bytes),
    ):
        with calls.stream("GET", url, headers={"Accept-Encoding": accepted}) as answer:
            body = b"".join(answer.iter_raw())
        assert answer.headers.get("content-encoding") == encoding
        assert opened(body) == file.read_bytes()
        assert "Accept-Encoding" in answer.headers["vary"]
        known = {"Accept-Encoding": accepted, "If-None-Match": answer.headers["etag"]}
        assert calls.get(url, headers=known).status_code == 304
        tags.add(answer.headers["etag"])
    assert len(tags) == 3


def test_a_page_that_is_negotiated_and_compressed_varies_by_both(copy: Nginx) -> None:
    for accept, kind in (("text/html", "text/html"), ("text/markdown", "text/markdown")):
        answer = calls.get(f"{copy.url}/playbooks/{BOOK}/", headers={"Accept": accept, "Accept-Encoding": "br"})
        assert answer.headers["content-encoding"] == "br"
        assert answer.headers["content-type"].startswith(kind)
        varies = {name.strip() for value in answer.headers.get_list("vary") for name in value.split(",")}
        assert varies == {"Accept", "Accept-Encoding"}


class TestInABrowser:
    pytestmark = IN_A_BROWSER

    def test_the_search_of_the_site_works(self, copy: Nginx, browser: Browser) -> None:
        page = browser.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"{copy.url}/search/?q=flaky")
        expect(page.locator(f'main a[href$="/playbooks/{BOOK}/"]').first).to_be_visible(timeout=20_000)
        assert wrong == []
        page.close()


def test_the_list_of_all_is_whole(copy: Nginx, site: Path) -> None:
    items = orjson.loads((site / "api/v1/playbooks.json").read_bytes())["items"]
    for item in items:
        assert calls.get(f"{copy.url}{API}/playbooks/{item['slug']}").json()["slug"] == item["slug"]
