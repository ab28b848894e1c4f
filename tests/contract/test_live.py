"""Every address over HTTP: statuses, types and manners, as the interface and the route table say."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from build.views.routes import API, ROUTES, Route
from server.app import Service
from tests.builders import BOOK, TODAY
from tests.contract.fields import breaches
from tests.rich import write_rich_content
from tests.service import HERE, Client, a_service, fronts
from tests.trees import built

WEIRD = [
    '"',
    "*:*",
    "AND",
    "OR NOT",
    "the of and",
    "🎹🎹",
    "كيف أصلح",
    "a\0b",
    ".*[",
    "(((",
    "title:x",
    "~",
    "^5",
    "x" * 500,
    "x" * 10_000,
    "flaky " * 80,
    " ".join(f"w{number}" for number in range(100)),
    "[a-z]{1,9}(.*)+$",
    "the",
    "\u202eyxalf",
    "\ud7ff\uffff",
    "  ",
    "𝟙𝟚",
    "؟",
    "../..",
    "%",
    "𝒻𝓁𝒶𝓀𝓎",
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = a_service(tmp_path_factory.mktemp("live"))
    yield service
    service.close()


@pytest.fixture
def ask(service: Service) -> Client:
    return Client(service)


NO_PATHS = (f"{API}/playbooks/a%00",)
"""What nginx takes for no path at all."""

SLUGS = {
    "playbook": BOOK,
    "playbook's runs": BOOK,
    "lesson": "stress-run-is-green-without-the-fix-too",
}
SLUGS |= {"agent": "cursor", "task": BOOK, "category": "software", "contributor": "ada-l", "doc": "interface"}
FOLDERS = {"playbooks": BOOK, "tasks": BOOK, "agents": "cursor", "categories": "software", "sitemaps": "pages-1"}
NOT_HERE = (
    "/playbooks/{slug}/changes/", "/playbooks/{slug}/versions/", "/playbooks/{slug}/card.png", "/card.png",
    "/sitemaps/{slug}.xml",
    "/skills/{slug}/scripts/{script}", "/api/v1/changes/{slug}",
)  # fmt: skip
"""Made only where the content has a history, in release builds, of a large library, or of a skill that has them."""

LISTS = {"by-agent": "cursor", "by-category": "software", "by-task": BOOK, "by-trust": "reported", "compare": BOOK}
"""What lists of playbooks and comparisons are asked of."""


def a_slug(route: Route) -> str:
    """The slug of something that is there."""
    parts = route.path.split("/")
    return (
        SLUGS.get(route.subject.name)
        or next((LISTS[part] for part in parts if part in LISTS), "")
        or FOLDERS.get(parts[1], "")
    )


STATIC = [
    (
        route.path.replace("{slug}", a_slug(route)),
        route.content_type,
    )
    for route in ROUTES
    if route.view
    and route.subject.name != "alias"
    and not {"{number}", "part-{number}", "{month}"} & set(route.path.split("/"))  # its lists are short
    if route.path not in NOT_HERE
]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "content_type"), STATIC)
def test_every_static_route_answers_with_all_manners(ask: Client, path: str, content_type: str) -> None:
    response = ask(path)
    assert (response.status_code, response.headers["content-type"]) == (200, content_type)
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "cache-control" in response.headers
    if content_type.startswith("text/html"):
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert "unsafe" not in response.headers["content-security-policy"]
    head = ask(path, "HEAD")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(response.content))
    again = ask(path, headers={"If-None-Match": response.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", response.headers["etag"])
    for spelling in (tag := response.headers["etag"].removeprefix("W/")), f"W/{tag}":
        assert ask(path, headers={"If-None-Match": f'{spelling}, "x"'}).status_code == 304
    assert ask(path, headers={"If-None-Match": '"x"'}).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", f"{API}/playbooks", f"{API}/healthz", "/nothing", f"/playbooks/{BOOK}.md"])
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST", "TRACE", "BREW"])
def test_other_methods_are_405_with_allow(ask: Client, path: str, method: str) -> None:
    response = ask(path, method)
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
    assert_problem(response)


@pytest.mark.parametrize("path", ["/", f"{API}/playbooks", f"{API}/search", "/nothing"])
def test_preflight(ask: Client, path: str) -> None:
    response = ask(path, "OPTIONS", headers={"Origin": "https://a.example", "Access-Control-Request-Method": "GET"})
    assert response.status_code == 204
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
    assert "Content-Type" not in response.headers["access-control-allow-headers"]  # another site's page cannot write


def assert_problem(response: httpx.Response) -> None:
    assert response.headers["content-type"] == "application/problem+json"
    assert list(breaches(response.json(), "Error")) == []
    assert response.json()["status"] == response.status_code
    assert response.json()["type"].startswith(f"{HERE}/docs/errors/#")


@pytest.mark.parametrize(
    "path",
    [
        f"{API}/playbooks/none",
        f"{API}/playbooks/full",
        f"{API}/nothing",
        f"{API}/playbooks/%2e%2e",
        f"{API}/playbooks/x%0a",
        f"{API}/playbooks/a%00",
        f"{API}/playbooks/Fix-Flaky-Tests",
        f"{API}/playbooks/x.json.json",
        f"{API}/submissions/sub_none",
        f"{API}/agents/none",
    ],
)
def test_what_is_not_there_is_a_json_404(ask: Client, path: str) -> None:
    response = ask(path)
    if fronts and path in NO_PATHS:
        assert response.status_code == 400
    else:
        assert response.status_code == 404
        assert_problem(response)


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/playbooks/none/",
        "/.site/1/manifest.json",
        "/assets/../../manifest.json",
        "/playbooks/none.md",
        "//evil.example",
        "/\\evil",
    ],
)
def test_what_is_not_there_is_a_page_for_people(ask: Client, path: str) -> None:
    response = ask(
        httpx.URL(HERE, raw_path=path.encode()).raw_path.decode()
        if path.startswith("/") and not path.startswith("//")
        else f"{HERE}{path}"
    )
    assert response.status_code == 404
    assert "<h1" in response.text


@pytest.mark.parametrize(
    ("path", "target"),
    [
        (f"/playbooks/{BOOK}", f"/playbooks/{BOOK}/"),
        ("/playbooks", "/playbooks/"),
        (f"{API}/playbooks/", f"{API}/playbooks"),
        (f"{API}/playbooks/old-flaky", f"{API}/playbooks/{BOOK}"),
        ("/playbooks/old-flaky.md", f"/playbooks/{BOOK}.md"),
        ("/skills/old-flaky/SKILL.md", f"/skills/{BOOK}/SKILL.md"),
        ("/trust?x=1", "/trust/?x=1"),
        ("/playbooks/old-flaky/", f"/playbooks/{BOOK}/"),
        ("/playbooks/old-flaky", f"/playbooks/{BOOK}/"),
        (f"{API}/playbooks/old-flaky/", f"{API}/playbooks/{BOOK}"),
        (f"{API}/runs?playbook=old-flaky", f"{API}/runs?playbook={BOOK}"),
    ],
)
def test_old_and_misspelt_addresses_lead_on(ask: Client, path: str, target: str) -> None:
    response = ask(path)
    assert (response.status_code, response.headers["location"]) == (308, target)


@pytest.mark.parametrize(
    ("accept", "markdown"),
    [
        ("text/markdown", True),
        ("text/markdown, text/html;q=0.9", True),
        ("text/html, text/markdown;q=0.5", False),
        ("text/markdown;q=0", False),
        ("*/*", False),
        ("", False),
        ("text/markdown, */*;q=0.1", True),
        ("text/markdown;q=x", False),
        (",;,;;q=" * 50, False),
    ],
)
def test_markdown_for_those_who_ask(ask: Client, accept: str, markdown: bool) -> None:
    response = ask(f"/playbooks/{BOOK}/", headers={"Accept": accept})
    assert response.headers["content-type"].startswith("text/markdown" if markdown else "text/html")
    assert response.headers["vary"] == "Accept"


def test_runs_of_one_playbook(ask: Client) -> None:
    everything, one = ask(f"{API}/runs").json(), ask(f"{API}/runs", params={"playbook": BOOK}).json()
    assert everything["total"] == one["total"] == 6
    for unknown in ("none", "../x", "", "x\n", "a" * 10_000):
        assert ask(f"{API}/runs", params={"playbook": unknown}).json() == {"total": 0, "items": [], "next": None}


def test_an_answer_is_found_by_its_files_name_too(ask: Client) -> None:
    for path in (f"{API}/playbooks", f"{API}/playbooks/{BOOK}", f"{API}/runs/by-playbook/{BOOK}"):
        assert ask(f"{path}.json").content == ask(path).content
    assert ask(f"{API}/index.json").content == ask(f"{API}/").content


def test_search_offers_no_withdrawn_playbook_and_names_a_deprecated_one(ask: Client) -> None:
    assert "gone" not in [
        item["slug"] for item in ask(f"{API}/search", params={"q": "must not be done"}).json()["items"]
    ]
    items = ask(f"{API}/search", params={"q": "rerun until green"}).json()["items"]
    assert {item["slug"]: item.get("status") for item in items}["older"] == "deprecated"


def test_search_keeps_its_contract(ask: Client) -> None:
    response = ask(f"{API}/search", params={"q": "flaky tests"})
    assert response.status_code == 200
    assert list(breaches(response.json(), "Search answer")) == []
    assert response.json()["items"][0]["slug"] == BOOK
    again = ask(f"{API}/search", params={"q": "flaky tests"}, headers={"If-None-Match": response.headers["etag"]})
    assert again.status_code == 304
    assert len(ask(f"{API}/search", params={"q": "tests", "limit": "1"}).json()["items"]) == 1
    assert {item["type"] for item in ask(f"{API}/search", params={"q": "tests", "type": "lesson"}).json()["items"]} <= {
        "lesson"
    }
    assert {
        item["type"] for item in ask(f"{API}/search", params={"q": "tests", "min_trust": "tested"}).json()["items"]
    } <= {"playbook"}
    assert ask(f"{API}/search", "HEAD", params={"q": "flaky"}).content == b""


@pytest.mark.parametrize(
    ("params", "pointers"),
    [
        ({}, ["/q"]),
        ({"q": " "}, ["/q"]),
        ({"q": "x", "profile": "slow"}, ["/profile"]),
        ({"q": "x", "limit": "51"}, ["/limit"]),
        ({"q": "x", "limit": "0"}, ["/limit"]),
        ({"q": "x", "limit": "-1"}, ["/limit"]),
        ({"q": "x", "limit": "1e1"}, ["/limit"]),
        ({"q": "x", "limit": "٣"}, ["/limit"]),
        ({"q": "x", "limit": "9" * 5000}, ["/limit"]),
        (
            {"type": "book", "min_trust": "high", "limit": "x", "foo/~": "1"},
            ["/foo~1~0", "/limit", "/min_trust", "/q", "/type"],
        ),
        ([("q", "x"), ("q", "y")], ["/q"]),
    ],
)
def test_search_says_everything_that_is_wrong(ask: Client, params: Any, pointers: list[str]) -> None:
    response = ask(f"{API}/search", params=params)
    assert response.status_code == 422
    assert_problem(response)
    assert sorted(error["pointer"] for error in response.json()["errors"]) == pointers


@pytest.mark.parametrize("profile", ["best", "fast"])
@pytest.mark.parametrize("query", WEIRD, ids=range(len(WEIRD)))
def test_weird_questions_are_answered(ask: Client, query: str, profile: str) -> None:
    fit = 200 if query.strip() else 422
    assert ask(f"{API}/search", params={"q": query, "profile": profile}).status_code == fit
    assert ask("/search/", params={"q": query}).status_code == (fit if query.strip() else 200)


def test_a_question_that_no_address_holds_is_sent_as_a_body(ask: Client) -> None:
    text = "flaky tests " * 2_000
    told = ask(f"{API}/search", "POST", json={"q": text, "type": "playbook", "limit": 1, "proven": False})
    assert (told.status_code, told.headers["cache-control"]) == (200, "no-store")
    assert not [name for name in told.headers if name.lower().startswith("ratelimit")]
    assert len(told.json()["items"]) == 1
    assert told.json()["notes"] == ["The question has 23,999 characters; the first 8,000 were read."]
    same = ask(f"{API}/search", params={"q": text[:8_000], "type": "playbook", "limit": 1}).json()
    assert same == {name: value for name, value in told.json().items() if name != "notes"}
    allowed = ask(f"{API}/search", "PUT")
    assert (allowed.status_code, allowed.headers["allow"]) == (405, "GET, HEAD, POST, OPTIONS")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [({}, "/q"), ({"q": " "}, "/q"), ({"q": "x", "limit": 51}, "/limit"), ({"q": "x", "z": 1}, "/z")],
)
def test_what_is_wrong_with_a_body_is_told(ask: Client, body: Any, pointer: str) -> None:
    refused = ask(f"{API}/search", "POST", json=body)
    assert (refused.status_code, [error["pointer"] for error in refused.json()["errors"]]) == (422, [pointer])


def test_a_question_with_an_address_of_somebody_is_a_question(ask: Client) -> None:
    assert ask(f"{API}/search", "POST", json={"q": "mail of grace.hopper@navy.mil"}).status_code == 200


def test_a_query_of_very_many_parameters_is_one_error(ask: Client) -> None:
    many = "&".join(f"limi{number}=1" for number in range(1_000))
    for path in (f"{API}/search?q=flaky&", f"{API}/find?task=flaky&"):
        refused = ask(path + many)
        assert refused.status_code == 422
        assert len(refused.json()["detail"]) + len(refused.json().get("errors", ())) < 100


def test_an_address_of_more_than_16_kib_names_the_other_way(ask: Client) -> None:
    refused = ask(f"{API}/search?q={'x' * 17_000}")
    assert (refused.status_code, refused.json()["type"].partition("#")[2]) == (414, "address-too-long")
    assert "POST" in refused.json()["detail"]


def test_weird_questions_take_no_time(ask: Client) -> None:
    for query in WEIRD:
        began = time.monotonic()
        ask(f"{API}/search", params={"q": query})
        assert time.monotonic() - began < 0.25, repr(query[:40])  # 50 ms is the aim; the guard is against hanging


def test_the_fast_profile_completes_the_last_word_and_the_best_does_not(ask: Client) -> None:
    assert ask(f"{API}/search", params={"q": "stres", "profile": "fast"}).json()["total"] > 0
    assert ask(f"{API}/search", params={"q": "reprod", "profile": "best"}).json()["total"] == 0
    same = [
        ask(f"{API}/search", params=params).content for params in ({"q": "flaky"}, {"q": "flaky", "profile": "best"})
    ]
    assert same[0] == same[1]


@pytest.mark.slow
def test_a_filter_that_nothing_has_is_named(ask: Client) -> None:
    asked = {"q": "flaky tests", "agent": "curser", "category": "<b>"}
    answer = ask(f"{API}/search", params=asked)
    assert (answer.status_code, answer.json()["total"]) == (200, 0)
    agent, category = answer.json()["notes"]
    assert agent == "Nothing here has the agent “curser”; did you mean 'cursor'?"
    assert re.fullmatch("Nothing here has the category “<b>”; others are .*software.*", category)
    assert list(breaches(answer.json(), "Search answer")) == []
    page = ask("/search/", params=asked).text
    assert "Nothing here has the agent “curser”; did you mean &#39;cursor&#39;?" in page
    assert "Nothing here has the category “&lt;b&gt;”; others are " in page
    assert "notes" not in ask(f"{API}/search", params={"q": "flaky tests", "agent": "cursor"}).json()


def test_the_search_page_escapes_what_was_asked(ask: Client) -> None:
    response = ask("/search/", params={"q": "<script>alert(1)</script> flaky"})
    assert "<script>" not in response.text
    assert "&lt;script&gt;alert(1)" in response.text
    assert ask("/search/", params={"q": ""}).status_code == 200


@pytest.mark.slow
@pytest.mark.inside
def test_an_index_that_is_damaged_takes_only_search_away(tmp_path: Path) -> None:
    service = a_service(tmp_path)
    for path in ((tmp_path / "site").resolve().parent / "index").resolve().glob("*.trm"):
        path.write_bytes(b"x" + path.read_bytes()[1:])
    ask = Client(service)
    response = ask(f"{API}/search", params={"q": "flaky"})
    assert response.status_code == 503
    assert_problem(response)
    assert ask(f"{API}/readyz").status_code == 503
    assert ask(f"{API}/healthz").status_code == 200
    assert ask(f"{API}/playbooks").status_code == 200
    assert ask("/search/", params={"q": "flaky"}).status_code == 503
    service.close()


@pytest.mark.slow
def test_a_new_build_is_served_at_once_and_soon_searched(tmp_path: Path) -> None:
    content = write_rich_content(tmp_path)
    service = a_service(tmp_path, content=content)
    ask = Client(service)
    assert ask(f"{API}/search", params={"q": "zymurgy"}).json()["total"] == 0
    path = content / "playbooks/write-tests.yaml"
    path.write_text(path.read_text().replace("Write tests for old code", "Zymurgy for old code"))
    built(content, tmp_path / "site", TODAY, site_url=HERE)
    until = time.monotonic() + 60  # the new index is read beside the old one
    while not ask(f"{API}/search", params={"q": "zymurgy"}).json()["total"]:
        assert time.monotonic() < until
    assert ask(f"{API}/playbooks/write-tests").json()["title"] == "Zymurgy for old code"
    service.close()


def test_the_search_page_calls_agents_by_their_names(ask: Client) -> None:
    page = ask("/search/", params={"q": "flaky tests", "agent": "claude-code"}).text
    assert '<strong data-is="value">Claude Code</strong>' in page
    assert ">claude-code<" not in page


def test_the_search_page_leaves_out_what_it_does_not_know(ask: Client) -> None:
    plain, tracked = ask("/search/?q=flaky+tests"), ask("/search/?q=flaky+tests&utm_source=x&fbclid=y")
    assert (plain.status_code, tracked.status_code) == (200, 200)
    assert tracked.text == plain.text


@pytest.mark.parametrize("path", ["/playbooks", "/playbooks.json", "/agents", "/runs", "/playbooks/by-trust/tested"])
@pytest.mark.parametrize("query", ["agent=cursor", "category=software", "task=x", "trust=tested", "limit=5", "q=tests"])
def test_a_filter_on_a_list_that_is_a_file_says_where_the_filtered_one_is(ask: Client, path: str, query: str) -> None:
    answer = ask(f"{API}{path}?{query}")
    assert (answer.status_code, answer.json()["type"].rpartition("#")[2]) == (400, "no-filter")
    assert "/api/v1/playbooks/by-agent/{slug}" in answer.json()["detail"]
    assert answer.headers["content-type"] == "application/problem+json"
    assert ask(f"{API}{path}?utm_source=x&agents=cursor").status_code == 200, "what filters nowhere is ignored"
    assert ask(f"{API}/playbooks/{BOOK}?{query}").status_code == 200, "one record is no list"
