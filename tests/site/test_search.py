"""The search page in a real browser: from the live service, from files alone, without scripts, and from neither."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from library.content.formatting import canonical
from library.search.query import Question, SearchEngine
from server.response_headers import CSP
from tests.browsers import IN_A_BROWSER, browser
from tests.builders import AGENT, BOOK, put
from tests.library.test_search_in_browsers import alike
from tests.rich import a_book, write_rich_content
from tests.server.test_serve import start
from tests.trees import built

__all__ = ["browser"]
pytestmark = IN_A_BROWSER
WORDINGS = Path(__file__).resolve().parents[1] / "content/wordings.json"
HOSTILE_TITLE = "<img src=x onerror=alert(1)> & <mark>zebras</mark>"
HOSTILE_SUMMARY = "🦓🦓 Zebras `<script>alert(1)</script>` are counted `</p>` by an agent."


def a_library(folder: Path) -> Path:
    """The rich library with a playbook whose words are hostile, and more of them than one page of results shows."""
    content = write_rich_content(folder)
    zebras = a_book(title=HOSTILE_TITLE, summary=HOSTILE_SUMMARY)
    put(content, "playbooks/zebras.yaml", canonical(zebras, "playbooks/zebras.yaml"))
    put(content, "agents/any-agent.yaml", AGENT.replace("Claude Code", "Whichever"))
    for number in range(11):
        name = f"playbooks/giraffes-{number}.yaml"
        agents = ["claude-code" if number else "any-agent"]
        book = a_book(title=f"Feed giraffes by way {number}", summary="Giraffes eat.", tags=["savanna"], agents=agents)
        put(content, name, canonical(book, name))
    return content


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `playbooks serve`."""
    folder = tmp_path_factory.mktemp("live")
    process, address = start(a_library(folder), folder / "out")
    yield address
    process.terminate()
    process.communicate(timeout=60)


class PlainHandler(SimpleHTTPRequestHandler):
    """A static host: files, the policies of this project for pages, and nothing else."""

    def end_headers(self) -> None:
        """Files carry the same policy as the service's."""
        self.send_header("Content-Security-Policy", CSP)
        super().end_headers()

    def do_POST(self) -> None:
        """A host of files takes nothing."""
        self.send_error(405)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


def served(folder: Path) -> Iterator[str]:
    """The address of a plain static server over a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(PlainHandler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def static_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of the library."""
    folder = tmp_path_factory.mktemp("static")
    built(a_library(folder), folder / "out")
    return folder / "out"


@pytest.fixture(scope="module")
def static(static_site: Path) -> Iterator[str]:
    """The same behind a plain static server."""
    yield from served(static_site)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A build whose index is away, behind a plain static server: nothing there can search."""
    folder = tmp_path_factory.mktemp("bare")
    built(a_library(folder), folder / "out")
    (folder / "out/search/search.bin").unlink()
    yield from served(folder / "out")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that a phone shows; whatever it complains of fails the test, and so does a request to another host."""
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.set_default_timeout(60_000)
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
    page.on("request", lambda request: asked.append(request.url))
    yield page
    page.close()
    assert [line for line in said if "the server responded with a status of 4" not in line] == []
    assert {url for url in asked if not url.startswith(("http://127.0.0.1:", "data:"))} == set()


def count(page: Page, words: str | re.Pattern[str]) -> None:
    """The region that is read out says this."""
    expect(page.locator("#count")).to_have_text(words)


def titles(page: Page) -> list[str]:
    return page.locator(".results h2").all_inner_texts()


def fits(page: Page) -> None:
    """Nothing sticks out sideways."""
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def shown(page: Page) -> str:
    """What a search shows, as markup without what only spacing says."""
    parts = [page.locator(place).evaluate("place => place.outerHTML") for place in ("#filters", "#count", "#answer")]
    return re.sub(r"\s*(<|>)\s*", r"\1", "".join(parts))


@pytest.mark.parametrize("site", ["live", "static"])
def test_answers_come_as_one_types(site: str, page: Page, request: pytest.FixtureRequest) -> None:
    home = request.getfixturevalue(site)
    page.goto(f"{home}/search/")
    page.locator("#q").press_sequentially("flaky test", delay=20)
    expect(page.locator(".results h2").first).to_have_text("Fix flaky tests")
    count(page, re.compile(r"^\d+ results?(, the best \d+ shown)?\."))
    expect(page).to_have_url(re.compile(r"/search/\?q=flaky\+test$"))
    assert page.locator(".results mark").first.inner_text().lower().startswith(("flaky", "test"))
    assert page.evaluate("document.activeElement.id") == "q"
    assert page.title().startswith("Search: flaky test – ")
    fits(page)
    page.locator(".results a").first.click()
    page.wait_for_url(f"{home}/playbooks/{BOOK}/")
    page.go_back()
    expect(page.locator(".results h2").first).to_have_text("Fix flaky tests")


def test_typing_asks_fast_and_sending_asks_the_best(live: str, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/api/v1/search" in one.url else None)
    page.goto(f"{live}/search/")
    page.locator("#q").press_sequentially("flak", delay=10)
    count(page, re.compile("result"))
    assert len(asked) == 1, "every key was a request"
    assert "profile=fast" in asked[0]
    page.keyboard.press("Enter")
    with page.expect_response(lambda answer: "profile=best" in answer.url):
        page.keyboard.press("Enter")


@pytest.mark.parametrize("site", ["live", "static"])
def test_filters_are_in_the_address_and_back_leads_back(site: str, page: Page, request: pytest.FixtureRequest) -> None:
    home = request.getfixturevalue(site)
    page.goto(f"{home}/search/")
    page.fill("#q", "green")
    page.keyboard.press("Enter")
    count(page, re.compile("result"))
    everything = shown(page)
    page.get_by_text("Narrow these results").click()
    page.locator(".facets").get_by_role("link", name="Lesson").click()
    page.wait_for_url(re.compile(r"\?q=green&type=lesson$"))
    count(page, "1 result.")
    assert page.evaluate("document.activeElement.id") == "count"
    assert page.locator(".facets [aria-current]").inner_text() == "Lesson"
    page.reload()
    count(page, "1 result.")
    page.go_back()
    page.wait_for_url(re.compile(r"\?q=green$"))
    expect(page.locator("#filters")).to_be_hidden()
    assert shown(page).replace(' open=""', "") == everything
    page.go_forward()
    page.get_by_role("link", name="Remove this filter").click()
    page.wait_for_url(re.compile(r"\?q=green$"))
    page.goto(f"{home}/search/?q=green&min_trust=tested&category=software&agent=claude-code&type=playbook")
    count(page, "1 result.")
    assert titles(page) == ["Fix flaky tests"]
    page.goto(f"{home}/search/?q=green&min_trust=confirmed&type=lesson")
    count(page, "1 result.")


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ("green", {}),
        ("flaky testz", {"type": "playbook"}),
        ("giraffes", {"min_trust": "reported"}),
        ("zebras", {}),
        ("nothing like this zzzz", {}),
        ("tests", {"category": "none-such"}),
        ("<b>x</b>", {}),
        ("tests", {"type": "book"}),
        ("until green", {}),
    ],
)
def test_scripts_and_server_show_the_same(
    live: str, page: Page, browser: Browser, query: str, filters: dict[str, str]
) -> None:
    without = browser.new_page(java_script_enabled=False)
    plain = "&".join(f"{name}={value}" for name, value in {"q": query.replace(" ", "+"), **filters}.items())
    page.goto(f"{live}/search/?{'&'.join(f'{name}={value}' for name, value in filters.items())}")
    page.fill("#q", query)
    with page.expect_response(lambda answer: "profile=best" in answer.url):
        page.keyboard.press("Enter")
    without.goto(f"{live}/search/?{plain}")
    wanted = shown(without)
    expect(page.locator("#answer")).not_to_have_attribute("aria-busy", "true")
    assert shown(page) == wanted
    assert page.locator("#lists").is_visible() == without.locator("#lists").is_visible()
    without.close()


def test_words_typed_just_before_a_filter_are_not_lost(live: str, page: Page) -> None:
    page.goto(f"{live}/search/?q=green")
    count(page, re.compile("result"))
    page.get_by_text("Narrow these results").click()
    page.evaluate(
        """() => {
          const field = document.getElementById("q");
          field.value = "flaky";
          field.dispatchEvent(new Event("input", {bubbles: true}));
          [...document.querySelectorAll(".facets a")].find(link => link.textContent === "Playbook").click();
        }"""
    )
    page.wait_for_url(re.compile(r"\?q=flaky&type=playbook$"))
    expect(page.locator("#q")).to_have_value("flaky")
    count(page, re.compile("result"))


def test_a_filter_without_a_question_leads_on(live: str, page: Page, browser: Browser) -> None:
    without = browser.new_page(java_script_enabled=False)
    address = f"{live}/search/?category=software&agent=cursor&min_trust=tested"
    page.goto(address)
    link = page.get_by_role("link", name="all playbooks with these filters")
    expect(link).to_be_visible()
    without.goto(address)
    assert shown(page) == shown(without)
    link.click()
    expect(page.locator("#narrowed-count")).to_have_text(re.compile("^1 of 16 playbooks"))
    without.close()


def test_a_filter_that_nobody_knows_says_where_names_stand(live: str, page: Page) -> None:
    page.goto(f"{live}/search/?q=tests&agent=nobody")
    count(page, "Nothing found for “tests” with these filters.")
    expect(page.locator("#answer")).to_contain_text("Nothing here has the agent “nobody”; others are ")
    page.locator("#answer").get_by_role("link", name="all agents").click()
    page.wait_for_url(f"{live}/agents/")


def test_a_filter_that_is_a_word_of_scripts_is_shown_as_it_was_asked(live: str, page: Page) -> None:
    page.goto(f"{live}/search/?type=constructor")
    expect(page.locator("#filters strong")).to_have_text("Constructor")
    expect(page.locator("#answer")).to_contain_text("Filters narrow what a search finds")


@pytest.mark.parametrize("site", ["live", "static"])
def test_more_than_a_page_of_results_is_one_link_away(site: str, page: Page, request: pytest.FixtureRequest) -> None:
    page.goto(f"{request.getfixturevalue(site)}/search/?q=giraffes&type=playbook")
    count(page, "11 results, the best 10 shown. Show all 11")
    page.get_by_role("link", name="Show all 11").click()
    count(page, "11 results.")
    page.wait_for_url(re.compile("limit=50"))
    assert len(titles(page)) == 11


@pytest.mark.parametrize("site", ["live", "static"])
def test_what_is_for_any_agent_is_found_for_each_and_last(
    site: str, page: Page, request: pytest.FixtureRequest
) -> None:
    address = request.getfixturevalue(site)
    for agent, found in (("", True), ("claude-code", False)):
        page.goto(f"{address}/search/?q=giraffes&agent={agent}")
        count(page, re.compile("^11 results"))
        assert ("Feed giraffes by way 0" in titles(page)) == found
    page.goto(f"{address}/search/?q=giraffes&agent=any-agent")
    count(page, re.compile("^1 result"))


@pytest.mark.parametrize("site", ["live", "static"])
def test_hostile_titles_are_text(site: str, page: Page, request: pytest.FixtureRequest) -> None:
    page.goto(f"{request.getfixturevalue(site)}/search/")
    page.fill("#q", "zebras")
    expect(page.locator(".results h2").first).to_have_text(HOSTILE_TITLE)
    summary = page.locator(".results > li").first.locator("[data-is=summary]")
    expect(summary).to_have_text(HOSTILE_SUMMARY)
    assert summary.locator("mark").all_inner_texts() == ["Zebras"]
    assert page.locator("#answer img, #answer script").count() == 0
    fits(page)
    page.fill("#q", "<img src=x onerror=alert(1)> qqqq $& $1")
    count(page, re.compile("result|Nothing found"))
    assert page.locator("#answer img, #count img").count() == 0


@pytest.mark.parametrize("site", ["live", "static"])
def test_a_word_typed_wrong_is_mended_and_said(site: str, page: Page, request: pytest.FixtureRequest) -> None:
    page.goto(f"{request.getfixturevalue(site)}/search/?q=flaky+testz")
    meant = page.get_by_text("Did you mean")
    expect(meant).to_have_text("Did you mean flaky tests?")
    meant.get_by_role("link").click()
    page.wait_for_url(re.compile(r"q=flaky\+tests$"))
    expect(meant).to_have_count(0)
    expect(page.locator("#q")).to_have_value("flaky tests")


@pytest.mark.parametrize("site", ["live", "static"])
def test_nothing_found_leads_on(site: str, page: Page, request: pytest.FixtureRequest) -> None:
    page.goto(f"{request.getfixturevalue(site)}/search/")
    page.fill("#q", "zzzqqq xxxyyy")
    page.keyboard.press("Enter")
    count(page, "Nothing found for “zzzqqq xxxyyy”.")
    page.get_by_role("link", name="Request this job").click()
    page.wait_for_url("**/submit/?kind=use_case*")


def test_an_empty_field_shows_the_lists_again(live: str, page: Page) -> None:
    page.goto(f"{live}/search/?q=flaky")
    expect(page.get_by_role("link", name="All jobs")).to_be_hidden()
    page.fill("#q", "")
    expect(page.get_by_role("link", name="All jobs")).to_be_visible()
    assert page.url == f"{live}/search/"
    assert page.locator(".results").count() == 0


def test_the_slash_leads_to_the_field_and_is_a_letter_in_it(live: str, page: Page) -> None:
    page.goto(f"{live}/search/")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type("ci/cd")
    expect(page.locator("#q")).to_have_value("ci/cd")
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.id") == "q"


@pytest.mark.parametrize("source", ["live", "static"])
def test_a_pasted_text_that_is_too_long_is_read_as_far_as_it_is_and_said_so(
    source: str, request: pytest.FixtureRequest, page: Page
) -> None:
    page.goto(f"{request.getfixturevalue(source)}/search/")
    text = "Flaky tests: find the cause of flaky tests and mend them. " + "word " * 5_000
    page.fill("#q", text)
    expect(
        page.get_by_text(f"The question has {len(text.strip()):,} characters; the first 8,000 were read.")
    ).to_be_visible()
    expect(page.locator(".results a").first).to_have_text("Fix flaky tests")
    assert len(page.url) < 9_000


ASK = """async (questions) => {
  const { local, stems } = document.querySelector("[data-local]").dataset;
  const { opened, files } = await import(local);
  const { stem } = await import(stems);
  const answer = await opened(files(""), stem);
  const found = [];
  for (const question of questions) found.push(await answer(question));
  return found;
}"""


def test_fifty_questions_have_the_services_answers_in_a_browser(static: str, static_site: Path, page: Page) -> None:
    texts = [one["query"] for one in json.loads(WORDINGS.read_text(encoding="utf-8"))][:42]
    texts += [
        "flaky testz",
        "giraffes",
        "zebra",
        "Write tests for old code",
        "until green",
        "eat",
        "savana",
        "tests old",
    ]
    page.goto(f"{static}/search/")
    found = page.evaluate(ASK, [{"q": text} for text in texts])
    engine = SearchEngine(static_site.resolve().parent)
    for text, answer in zip(texts, found, strict=True):
        assert alike(answer, json.loads(engine.answer(Question(text)).json_bytes())), text


@pytest.mark.parametrize("width", [360, 1440])
def test_the_first_page_shows_results_as_one_types(static: str, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/search" in one.url else None)
    page.goto(f"{static}/")
    assert asked == [url for url in asked if "home-search" in url], "nothing is loaded before the first key"
    page.locator("#q").press_sequentially("giraf", delay=10)
    options = page.get_by_role("option")
    expect(options).to_have_count(5)
    options.last.click(trial=True)  # nothing cuts it off, nothing lies over it
    page.evaluate("scrollTo(0, 0)")
    fits(page)
    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.press("Escape")
    expect(options).to_have_count(0)
    page.locator("#q").press_sequentially("fes", delay=10)
    expect(options).to_have_count(5)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/playbooks/giraffes-\d+/$"))


def test_a_static_host_is_asked_once_and_remembered(static: str, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/api/v1/search" in one.url else None)
    page.goto(f"{static}/search/?q=giraffes")
    count(page, re.compile("^11 results"))
    page.fill("#q", "zebras")
    count(page, "1 result.")
    page.reload()
    count(page, "1 result.")
    assert len(asked) == 1


def test_a_service_that_hangs_is_not_waited_for(static: str, page: Page) -> None:
    def hang(_route: Route) -> None:
        """Answer nothing."""

    page.route("**/api/v1/search*", hang)
    began = time.monotonic()
    page.goto(f"{static}/search/?q=giraffes")
    count(page, re.compile("^11 results"))
    assert 1.4 < time.monotonic() - began < 5
    page.unroute_all(behavior="ignoreErrors")


def test_who_searched_without_the_service_finds_the_same(live: str, page: Page) -> None:
    page.goto(f"{live}/search/")
    page.evaluate("sessionStorage.setItem('search', 'local')")
    page.reload()
    page.fill("#q", "giraffes")
    count(page, re.compile("^11 results"))
    assert page.evaluate("sessionStorage.getItem('search')") == "local", "files answer for the rest of the visit"


def test_where_nothing_can_search_a_sentence_says_so(bare: str, page: Page) -> None:
    page.goto(f"{bare}/search/?q=giraffes")
    expect(page.get_by_text("Search cannot be used here.")).to_be_visible()
    expect(page.get_by_role("link", name="All jobs")).to_be_visible()
    count(page, "")
    fits(page)


def test_an_exact_title_comes_first_and_what_is_deprecated_last(static: str, page: Page) -> None:
    page.goto(f"{static}/search/?q=Write+tests+for+old+code")
    expect(page.locator(".results h2").first).to_have_text("Write tests for old code")
    page.goto(f"{static}/search/?q=flaky&type=playbook")
    count(page, re.compile("result"))
    assert "Rerun until green" not in titles(page)[:-1], "what is deprecated comes after all others"
    assert "Do what must not be done" not in titles(page)


def test_a_reader_without_scripts_keeps_filters(live: str, browser: Browser) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{live}/search/?q=green&type=lesson")
    count(page, "1 result.")
    page.fill("#q", "flaky")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"q=flaky&type=lesson"))
    page.close()


def test_agents_and_categories_are_called_by_their_names(live: str, page: Page, browser: Browser) -> None:
    without = browser.new_page(java_script_enabled=False)
    for reader in (page, without):
        reader.goto(f"{live}/search/?q=flaky+tests&agent=claude-code&category=software")
        expect(reader.locator("#filters strong")).to_have_text(["Software", "Claude Code"])
    page.get_by_text("Narrow these results").click()
    expect(page.locator(".facets").get_by_role("link", name="Claude Code", exact=True)).to_be_visible()
    without.close()
    page.goto(f"{live}/search/?q=tests&agent=constructor")
    expect(page.locator("#filters strong")).to_have_text("constructor")
    page.goto(f"{live}/search/?q=tests&category=toString")
    expect(page.locator("#filters strong")).to_have_text("toString")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_filter_of_one_long_word_makes_no_page_wide(live: str, browser: Browser, scripts: bool) -> None:
    page = browser.new_page(java_script_enabled=scripts, viewport={"width": 360, "height": 800})
    page.goto(f"{live}/search/?q=tests&agent={'x' * 300}")
    expect(page.locator("#filters strong")).to_have_text("x" * 300)
    box = page.locator("#filters strong").bounding_box()
    assert box
    assert box["x"] + box["width"] <= 360
    page.close()
