"""The page of a submission's status, which needs no script: what a sender reads, and what is said for a wrong id."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from build.views.routes import API
from library.interface.errors import REASONS, RUN_MEANINGS, codes_for
from library.records.vocabulary import Decision, RunStatusWord, SubmissionState
from server.app import Service
from server.response_headers import CSP
from tests.builders import BOOK
from tests.service import HERE, Client, a_service
from writeapi.store.records import Review

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)> {{ 7*7 }} &amp;"
BODY = {"kind": "lesson", "title": HOSTILE, "body": "The whole of it."}
PLACE = f"{HERE}/lessons/x/"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = a_service(tmp_path_factory.mktemp("page"), write_limits="1000 per minute")
    yield made
    made.close()


@pytest.fixture(scope="module")
def ask(service: Service) -> Client:
    return Client(service)


def submitted(ask: Client) -> str:
    return str(ask(f"{API}/submissions", "POST", json=BODY).json()["id"])


def in_state(service: Service, ask: Client, state: str) -> str:
    """A submission in this state, by steps that every state may come from."""
    name, store = submitted(ask), service.services.store
    before = {"changes_requested": ["screened"], "accepted": ["screened"], "published": ["screened", "accepted"]}
    for step in before.get(state, []):
        store.move(name, step, by="review-agent" if step == "screened" else "editor:c:7")
    if state == "rejected":
        store.screened(Review(name, 1, "reject", ()), reject=True, reasons=["spam"])
    elif state == "changes_requested":
        store.move(name, state, by="editor:c:7", reasons=["unclear", "needs-source"], note=HOSTILE)
    elif state != "queued":
        store.move(name, state, by="publisher", place=PLACE if state == "published" else None)
    return name


class Tags(HTMLParser):
    """Every tag of a page with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def ours(script: dict[str, str | None]) -> bool:
    """Whether a script is one of the site's own files."""
    return (script.get("src") or "").startswith("/assets/")


@pytest.mark.parametrize("state", SubmissionState)
def test_every_state_is_told_in_words(service: Service, ask: Client, state: str) -> None:
    name = in_state(service, ask, state)
    answer = ask(f"/submissions/?id={name}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert (answer.headers["cache-control"], answer.headers["content-security-policy"]) == ("no-store", CSP)
    page = answer.text
    assert '<meta name="robots" content="noindex">' in page
    assert ("curl -X PUT" in page) == (state == "changes_requested")
    assert ("curl -X DELETE" in page) == (state in ("queued", "screened", "changes_requested", "accepted"))
    assert (f'<a href="{PLACE}">' in page) == (state == "published")
    assert f'"{HERE}{API}/submissions/{name}"' in page
    assert BODY["body"] not in page
    assert "`" not in page


def test_requested_changes_are_said_in_sentences_with_the_note(service: Service, ask: Client) -> None:
    page = ask(f"/submissions/?id={in_state(service, ask, 'changes_requested')}").text
    wanted = page.partition("What to change</h2>")[2].partition("<h3>")[0]
    items = [html.unescape(item) for item in re.findall(r"<li[^>]*>(.*?)</li>", wanted, re.DOTALL)]
    told = {reason.code: reason.sentence for reason in REASONS}
    assert items == [told["unclear"], told["needs-source"], HOSTILE]
    assert '/docs/reasons/#unclear"' in page


def test_what_was_sent_is_inert(service: Service, ask: Client) -> None:
    page = ask(f"/submissions/?id={in_state(service, ask, 'changes_requested')}").text
    tags = Tags(page).seen
    assert [attributes for tag, attributes in tags if tag == "script" and not ours(attributes)] == []
    assert [attributes for _, attributes in tags if any(name.startswith("on") for name in attributes)] == []
    assert [attributes["src"] for tag, attributes in tags if tag == "img" and attributes["src"] == "x"] == []
    assert page.count(html.escape("<script>alert(1)</script>")) == 3  # the title, what to change, and the history


@pytest.mark.parametrize(
    "asked", ["x", "sub_" + "a" * 26, "run_" + "a" * 26, "../..", "<script>", '"><script>', "%00", "%ff", "a" * 5_000]
)
def test_an_unknown_id_is_404_with_a_sentence(ask: Client, asked: str) -> None:
    answer = ask(f"/submissions/?id={asked}")
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")
    assert "There is no submission with this id." in answer.text
    assert [given for tag, given in Tags(answer.text).seen if tag == "script" and not ours(given)] == []
    assert len(answer.text) < 10_000  # what is long in an address is not said again
    assert ("It would be a run report" in answer.text) == asked.startswith("run_")


@pytest.mark.parametrize("state", RunStatusWord)
def test_every_state_of_a_report_is_told_in_words(service: Service, ask: Client, state: str) -> None:
    report = {"playbook": BOOK, "agent": "x", "outcome": "failed", "lesson": "Never shown here."}
    name = str(ask(f"{API}/runs", "POST", json=report).json()["id"])
    store = service.services.store
    if state != "pending":
        store.move(name, "rejected" if state == "rejected" else "approved", by="editor:c:7")
    if state == "published":
        store.written(store.outbox(subject=name), f"content runs/{BOOK}/{name}.yaml")
    if state == "withdrawn":
        store.move(name, state, by="editor:c:7")
    answer = ask(f"/submissions/?id={name}")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert f"{state.capitalize()}: {RUN_MEANINGS[RunStatusWord(state)]}." in html.unescape(answer.text)
    assert f'href="/playbooks/{BOOK}/"' in answer.text
    assert report["lesson"] not in answer.text


def test_a_token_in_the_wrong_place_is_not_repeated(ask: Client) -> None:
    answer = ask("/submissions/?id=edt_" + "Z" * 43)
    assert (answer.status_code, "Z" * 20 in answer.text) == (404, False)
    assert "This is an edit token" in answer.text


@pytest.mark.parametrize("query", ["", "?id=", "?id=+", "?other=x"])
def test_without_an_id_it_is_the_form(ask: Client, query: str) -> None:
    answer = ask(f"/submissions/{query}")
    assert (answer.status_code, 'name="id"' in answer.text) == (200, True)
    assert "etag" in answer.headers
    assert "answered by the live service" in answer.text
    assert [given for tag, given in Tags(answer.text).seen if tag == "script" and not ours(given)] == []


def test_spaces_around_an_id_and_a_missing_slash_do_no_harm(ask: Client) -> None:
    name = submitted(ask)
    assert ask(f"/submissions/?id=+{name}%0A").status_code == 200
    led = ask(f"/submissions?id={name}")
    assert (led.status_code, led.headers["location"]) == (308, f"/submissions/?id={name}")
    assert ask(f"/submissions/?id={name}", "HEAD").content == b""


def test_a_queue_that_is_away_is_503_and_the_form_stays(tmp_path: Path) -> None:
    service = a_service(tmp_path)
    ask = Client(service)
    service.close()
    for file in tmp_path.glob("queue.db*"):
        file.rename(tmp_path / f"away-{file.name}")
    answer = ask("/submissions/?id=sub_" + "a" * 26)
    assert (answer.status_code, int(answer.headers["retry-after"])) == (503, 5)
    assert "cannot be asked now" in answer.text
    assert ask("/submissions/").status_code == 200
    service.close()


def test_the_page_of_reasons_lists_every_code_with_its_decisions(ask: Client) -> None:
    page = html.unescape(ask("/docs/reasons/").text)
    assert "`" not in page
    rows: dict[str, Any] = {
        code: (sentence, decisions.split(", "))
        for code, sentence, decisions in re.findall(
            r'<div id="([a-z-]+)">.*?<dd>(.*?)<br><span class="n">(.*?)</span></dd>', page
        )
    }
    words = dict(zip(Decision, ["rejected", "changes requested", "sent back to the editors", "withdrawn"], strict=True))
    assert rows == {
        reason.code: (reason.sentence, [words[one] for one in Decision if reason.code in codes_for(one)])
        for reason in REASONS
    }


def test_both_pages_are_found(ask: Client) -> None:
    assert f"{HERE}/submissions/</loc>" in ask("/sitemap.xml").text
    assert {'href="/submissions/"', 'href="/docs/reasons/"'} <= set(re.findall(r'href="[^"]+"', ask("/docs/").text))
    assert 'href="/submissions/"' in ask("/").text
