"""`/find`: a whole pasted task in, and one playbook out, ready to use; in JSON and in words, by GET and by POST."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from build.views.routes import API
from library.interface.answers import PlaybookAnswer
from library.interface.finding import ASK_FIRST, BUDGET, UNSURE, answer_to, tokens, words
from tests.builders import BOOK
from tests.service import Client, a_service

LOG = "2026-11-20T03:14:07Z unit FAILED tests/test_cart.py::test_total - AssertionError\n" * 40
TASK = f"{LOG}\nOur flaky tests go red and green on the same commit. Find the cause and mend them."


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    service = a_service(tmp_path_factory.mktemp("find"))
    yield Client(service)
    service.close()


def test_a_task_is_answered_with_its_playbook(ask: Client) -> None:
    found = ask(f"{API}/find", params={"task": "my tests are flaky", "agent": "Cursor"}).json()
    book = ask(f"{API}/playbooks/{BOOK}").json()
    assert (found["fits"], found["slug"], found["version"]) == (True, BOOK, book["version"])
    assert (found["agent"], found["prompt"]) == ("cursor", book["variants"][0]["prompt"])
    assert found["stops"] == book["human_checkpoints"]
    assert found["then"]["url"] == book["report_url"]
    assert found["then"]["arguments"] == {"playbook": BOOK, "playbook_version": book["version"], "agent": "cursor"}


def test_an_agent_that_nobody_knows_is_said(ask: Client) -> None:
    found = ask(f"{API}/find", params={"task": "my tests are flaky", "agent": "No Such"}).json()
    assert "The library knows no agent named 'No Such'; this is the prompt for any agent." in found["notes"]
    assert "agent" not in found
    for known in ("Claude Code", "cursor", "", " "):
        answer = ask(f"{API}/find", params={"task": "my tests are flaky", "agent": known}).json()
        assert not [note for note in answer.get("notes", ()) if "knows no agent" in note]


def test_a_pasted_task_is_answered_alike_in_words(ask: Client) -> None:
    found = ask(f"{API}/find", "POST", json={"task": TASK})
    assert (found.status_code, found.json()["slug"]) == (200, BOOK)
    words = ask(f"{API}/find", "POST", json={"task": TASK}, headers={"Accept": "text/markdown"})
    assert words.headers["content-type"] == "text/markdown; charset=utf-8"
    assert found.json()["prompt"].strip() in words.text
    assert ASK_FIRST in words.text
    assert max(tokens(words.text), tokens(found.text)) <= BUDGET
    assert words.headers["vary"] == "Accept"


def test_where_nothing_fits_it_says_how_to_ask(ask: Client) -> None:
    found = ask(f"{API}/find", params={"task": "zyzzyva qwrtpsd"}).json()
    assert (found["fits"], found["nearest"], "prompt" in found) == (False, [], False)
    assert found["then"] == {
        "tool": "submit",
        "url": found["then"]["url"],
        "arguments": {"kind": "use_case", "title": "zyzzyva qwrtpsd"},
        "still": ["body"],
    }


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("", ["/task"]),
        ("task=", ["/task"]),
        ("task=%20", ["/task"]),
        ("task=x&tsak=y", ["/tsak"]),
        ("task=x&task=y", ["/task"]),
        (f"task=x&agent={'a' * 200}", ["/agent"]),
    ],
)
def test_what_cannot_be_asked_is_told_with_its_place(ask: Client, query: str, places: list[str]) -> None:
    refused = ask(f"{API}/find?{query}")
    assert refused.status_code == 422
    assert [item["pointer"] for item in refused.json()["errors"]] == places


def test_a_private_task_is_read_and_not_kept(ask: Client) -> None:
    found = ask(f"{API}/find", "POST", json={"task": "flaky tests, says grace.hopper@navy.mil"})
    assert (found.status_code, "ratelimit" in found.headers) == (200, False)


@pytest.mark.parametrize(
    ("scores", "match", "unsure"),
    [((5.0, 4.6), "close", True), ((5.0, 3.0), "close", False), ((5.0,), "close", False), ((5.0, 3.0), None, True)],
)
def test_where_another_may_fit_as_well_it_is_named_first(
    ask: Client, scores: tuple[float, ...], match: str | None, unsure: bool
) -> None:
    book = PlaybookAnswer.model_validate_json(ask(f"{API}/playbooks/{BOOK}").text)
    named = zip((BOOK, "another-one"), scores, strict=False)
    items = [{"slug": slug, "title": f"Do {slug}", "summary": "", "score": score} for slug, score in named]
    found = answer_to("x", "", {"match": match, "items": items}, book, "https://library.example", lambda _: True)
    said = words(found)
    assert (UNSURE in said) is unsure
    if len(scores) > 1:
        line = "Not this job? Near are:\n- `another-one`: Do another-one"
        assert (said.index(line) < said.index("## Prompt")) is unsure
