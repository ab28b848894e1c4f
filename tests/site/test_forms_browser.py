"""The forms that send, in a real browser against the real service: what arrives, what is said, and that it is once."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK, TODAY
from tests.faults.http_server import rows
from tests.rich import write_rich_content

__all__ = ["browser"]
pytestmark = IN_A_BROWSER
MAIL = "ann@" + "quillfern.io"


@dataclass
class Live:
    """`playbooks serve` over the rich library, which can be killed and started again at the same address."""

    content: Path
    folder: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None

    def start(self, **settings: str) -> Live:
        command = [sys.executable, "-W", "ignore", "-m", "cli", "serve", "--port", str(self.port), "--jobs", "1"]
        command += ["--content", str(self.content), "--out", str(self.folder / "out"), "--today", str(TODAY)]
        command += ["--var", str(self.folder / "var")]
        env = {"PATH": "/usr/bin:/bin", "PLAYBOOKS_WRITE_LIMITS": "1000 per hour", **settings}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        assert self.process.stdout
        for line in self.process.stdout:
            if found := re.search(r"serving http://127\.0\.0\.1:(\d+)/", line):
                self.port = int(found[1])
                return self
        raise AssertionError(self.process.communicate()[1])

    def kill(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stored(self, table: str) -> list[tuple[Any, ...]]:
        """The rows of the queue, past the service."""
        columns = {"runs": "playbook, agent, outcome, what_changed", "submissions": "kind, title, playbook, body"}
        return rows(f"sqlite:///{self.folder / 'var' / 'queue.db'}", f"select {columns[table]} from {table}")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rich_content(tmp_path_factory.mktemp("content"))


@pytest.fixture(scope="module")
def live(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    made = Live(library, tmp_path_factory.mktemp("live")).start()
    yield made
    made.kill()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that a phone shows, without a memory of others; what scripts complain of fails the test."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.set_default_timeout(60_000)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert [line for line in said if not line.startswith("Failed to load resource")] == []


def opened(page: Page, live: Live, path: str = f"/report/?playbook={BOOK}") -> Page:
    with page.expect_event("requestfinished", lambda asked: asked.url.endswith("/healthz")):  # it decides what is shown
        page.goto(live.address + path)
    expect(page.locator("#send")).to_be_enabled()
    return page


def filled(page: Page, agent: str) -> None:
    """A report that the library takes."""
    page.get_by_label("Worked", exact=True).check()
    page.get_by_label("Agent", exact=True).fill(agent)
    page.locator("#agreed").check()


def send(page: Page) -> None:
    page.locator("#send").click()


def press(page: Page, target: Locator) -> None:
    """One click where a thing stands when the button goes down, as a hand makes it: nothing tries again."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, delay=30)


def receipt(page: Page) -> str:
    """The id in the receipt, once it is there."""
    expect(page.locator("#receipt")).to_be_visible()
    return page.locator("#receipt-facts code").first.inner_text()


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_a_report_arrives_as_it_was_shown(live: Live, page: Page) -> None:
    opened(page, live)
    filled(page, "agent-one")
    page.get_by_label("Worked with changes").check()
    page.get_by_label("What changed").fill("Step 2 came first.\n\nThen step 1.")
    shown = page.locator("#json").inner_text()
    with page.expect_request("**/api/v1/runs") as sent:
        send(page)
    assert receipt(page).startswith("run_")
    assert sent.value.post_data_json == json.loads(shown)
    row = (BOOK, "agent-one", "worked_with_changes", "Step 2 came first.\n\nThen step 1.")
    assert live.stored("runs").count(row) == 1
    fits(page)


PLAYBOOK = {
    "Title": "Count zebras",
    "Summary": "Counts them.",
    "Prompt": "Count the zebras in {{place}}.",
    "Steps 1": "Go there.",
}


def test_a_whole_playbook_arrives_with_the_token_that_is_shown_once(live: Live, page: Page) -> None:
    opened(page, live, "/submit/?kind=correction&playbook=" + BOOK)
    expect(page.get_by_role("radio", name="Correction")).to_be_checked()
    expect(page.locator("#f-payload")).to_be_hidden()
    page.get_by_role("radio", name="Playbook: a whole one").check()
    page.locator("#f-title").fill("Count zebras")
    page.locator("#f-body").fill("For zoos.")
    part = page.locator("#f-payload")
    for label, text in PLAYBOOK.items():
        part.get_by_label(label, exact=True).fill(text)
    part.get_by_label("Agents 1").fill("claude-code")
    page.locator("#f-payload-steps").get_by_role("button", name="Add another").click()
    page.keyboard.type("")  # an empty box leaves no hole
    page.locator("#f-payload-steps").get_by_role("button", name="Add another").click()
    page.keyboard.type("Count.")
    page.locator("#agreed").check()
    with page.expect_request("**/api/v1/submissions") as sent:
        send(page)
    body = sent.value.post_data_json or {}
    assert (body["kind"], body["playbook"], body["payload"]["steps"]) == ("playbook", BOOK, ["Go there.", "Count."])
    name = receipt(page)
    told = page.locator("#receipt-facts")
    expect(told).to_contain_text("edt_")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save this receipt").click()
    kept = json.loads(Path(saved.value.path()).read_text())
    assert (kept["id"], kept["edit_token"]) == (name, told.locator("code").nth(1).inner_text())
    page.get_by_role("link", name="Where it stands").click()
    expect(page.locator(".verdict")).to_have_text(re.compile("Received: it waits for the review agent.|Screened: "))
    assert len([row for row in live.stored("submissions") if row[1] == "Count zebras"]) == 1
    page.goto(f"{live.address}/submit/")
    assert "edt_" not in page.content() + page.evaluate("JSON.stringify({...sessionStorage})")


REFUSED = (
    ("/report/", "Playbook", "no-such-playbook", "is no playbook of this library"),
    ("/report/", "Playbook", "Not A Slug", "is no playbook of this library"),
    ("/report/", "Playbook version", "12", "must be 12 hex digits"),
    ("/report/", "Duration in minutes", "half an hour", "must be a whole number"),
    ("/report/", "Duration in minutes", "600000", "must be at most 525600"),
    ("/report/", "Model", "hidden\u200bhere", "holds an invisible character"),
    ("/submit/", "Source address", "example", "must be a whole http(s) address"),
)


@pytest.mark.parametrize(("path", "label", "text", "told"), REFUSED, ids=[f"{one[1]}: {one[3]}" for one in REFUSED])
def test_what_the_library_refuses_is_said_at_its_field(
    live: Live, page: Page, path: str, label: str, text: str, told: str
) -> None:
    before = len(live.stored("runs")) + len(live.stored("submissions"))
    opened(page, live, f"{path}?playbook={BOOK}")
    if path == "/report/":
        filled(page, "agent-two")
    else:
        page.locator("#f-title").fill("A title")
        page.locator("#f-body").fill("A text")
        page.locator("#agreed").check()
    if page.get_by_label(label, exact=True).is_hidden():
        page.get_by_text("More about the run").click()
    page.get_by_label(label, exact=True).fill(text)
    send(page)
    field = page.get_by_label(label, exact=True)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    said = page.locator(f"#{(field.get_attribute('aria-describedby') or '').split()[0]}")
    assert told.casefold() in said.inner_text().casefold()
    expect(page.get_by_role("alert").get_by_role("link").first).to_contain_text(told)
    assert len(live.stored("runs")) + len(live.stored("submissions")) == before
    fits(page)


def test_what_is_missing_is_said_before_anything_is_sent(live: Live, page: Page) -> None:
    opened(page, live, "/report/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))
    send(page)
    links = page.get_by_role("alert").get_by_role("link")
    expect(links).to_have_text(
        [
            "Outcome is missing; choose one",
            "Playbook is missing; write it",
            "Agent is missing; write it",
            "Say that nothing in it is private",
        ]
    )
    expect(page.get_by_label("Worked", exact=True)).to_be_focused()
    links.nth(2).click()
    expect(page.get_by_label("Agent", exact=True)).to_be_focused()
    assert "POST" not in asked


def test_what_is_mended_is_wrong_no_more(live: Live, page: Page) -> None:
    opened(page, live, "/report/")
    send(page)
    links = page.get_by_role("alert").get_by_role("link")
    expect(links).to_have_count(4)
    page.get_by_label("Worked", exact=True).check()
    page.get_by_label("Agent", exact=True).fill(" ")
    expect(links).to_have_count(3)
    expect(page.get_by_label("Agent", exact=True)).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Agent", exact=True).fill("cursor")
    expect(page.get_by_label("Agent", exact=True)).not_to_have_attribute("aria-invalid", "true")
    page.get_by_label("Playbook", exact=True).fill(BOOK)
    expect(links).to_have_text(["Say that nothing in it is private"])
    page.locator("#agreed").check()
    expect(page.locator("#errors")).to_be_hidden()
    assert page.locator(".error").count() == 0


def test_each_kind_has_its_own_fields(live: Live, page: Page) -> None:
    opened(page, live, "/submit/?kind=lesson")
    page.get_by_label("Agent", exact=True).fill("cursor")
    shown = {"#f-agent": "lesson use_case", "#f-payload": "playbook"}
    for kind in ("lesson", "use_case", "correction", "playbook"):
        page.locator(f"[value={kind}]").check()
        for field, kinds in shown.items():
            assert page.locator(field).is_visible() == (kind in kinds.split()), (field, kind)
        sent = json.loads(page.locator("#json").inner_text())
        assert ("agent" in sent) == (kind in ("lesson", "use_case"))


def test_playbooks_can_be_chosen_from_a_list(live: Live, page: Page) -> None:
    opened(page, live, "/report/")
    page.get_by_label("Playbook", exact=True).focus()
    expect(page.locator(f"#playbooks option[value={BOOK}]")).to_have_attribute("label", "Fix flaky tests")
    expect(page.get_by_label("Playbook", exact=True)).to_have_attribute("list", "playbooks")


def test_two_fields_of_one_name_are_told_apart_in_the_list_of_errors(live: Live, page: Page) -> None:
    opened(page, live, "/submit/?kind=playbook")
    send(page)
    listed = page.locator("#errors li")
    expect(listed.filter(has_text=re.compile("^Title is missing"))).to_have_count(1)
    expect(listed.filter(has_text="The playbook itself: title is missing")).to_have_count(1)
    expect(listed.filter(has_text="The playbook itself: steps are missing")).to_have_count(1)


def test_private_data_is_found_before_it_leaves_the_page(live: Live, page: Page) -> None:
    opened(page, live)
    filled(page, "agent-three")
    posted: list[str] = []
    page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    lesson = page.get_by_label("Lesson")
    lesson.fill(f"Ask {MAIL} first.")
    page.keyboard.press("Tab")
    expect(page.get_by_text("This looks like an e-mail address.")).to_be_visible()
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("Lesson holds an e-mail address; take it out")
    expect(lesson).to_be_focused()
    assert posted == []
    lesson.fill("Ask first.")
    send(page)
    receipt(page)


def test_a_warning_takes_no_click_away(live: Live, page: Page) -> None:
    """What is said under a box moves what stands below it: the click that leaves the box still counts."""
    opened(page, live)
    page.get_by_label("Lesson", exact=True).fill(f"Ask {MAIL}.")
    press(page, page.locator("#agreed"))
    expect(page.locator(".warning")).to_have_count(1)
    expect(page.locator("#agreed")).to_be_checked()


def test_a_box_that_is_added_has_no_warning_of_another(live: Live, page: Page) -> None:
    opened(page, live, "/submit/?kind=playbook")
    steps = page.locator("#f-payload-steps")
    page.get_by_label("Steps 1").fill(f"Ask {MAIL}.")
    press(page, steps.get_by_role("button", name="Add another"))
    expect(page.get_by_label("Steps 2")).to_be_focused()
    expect(steps.locator(".warning")).to_have_count(1)
    steps.get_by_role("button", name="Add another").click()
    expect(page.get_by_label("Steps 3")).to_be_focused()
    expect(steps.locator(".warning")).to_have_count(1)


def test_who_stops_trying_stands_at_the_button_that_sends(live: Live, page: Page) -> None:
    opened(page, live)
    filled(page, "agent-stopped")
    page.context.set_offline(True)
    send(page)
    page.locator("#stop").press("Enter")
    expect(page.locator("#stop")).to_be_hidden()
    expect(page.locator("#send")).to_be_focused()


def test_what_changed_is_asked_for_unless_it_worked(live: Live, page: Page) -> None:
    opened(page, live)
    filled(page, "agent-four")
    changed = page.get_by_label("What changed")
    expect(changed).to_be_hidden()
    page.get_by_label("Failed").check()
    send(page)
    expect(changed).to_be_focused()
    expect(page.get_by_role("alert")).to_contain_text("Say where it went wrong, or send it again as it is")
    send(page)
    receipt(page)
    assert (BOOK, "agent-four", "failed", None) in live.stored("runs")


def test_a_repeated_click_and_a_lost_answer_store_one_row(live: Live, page: Page) -> None:
    opened(page, live)
    filled(page, "agent-five")
    keys: list[str] = []

    def lose(route: Route) -> None:
        """The service gets it and answers; the first two answers are lost on their way."""
        keys.append(route.request.headers["idempotency-key"])
        answer = route.fetch()
        if len(keys) < 3:
            route.abort()
        else:
            route.fulfill(response=answer)

    page.route("**/api/v1/runs", lose)
    page.locator("#send").dblclick()
    expect(page.locator("#form-said")).to_contain_text("No answer came. Trying again")
    page.locator("#send").click(force=True)
    receipt(page)
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert [row[1] for row in live.stored("runs")].count("agent-five") == 1


def test_what_is_under_way_cannot_be_changed(live: Live, page: Page) -> None:
    """A field that is changed while the page tries again would be shown, and not be in what is stored."""
    opened(page, live)
    filled(page, "agent-under-way")
    page.context.set_offline(True)
    page.locator("#send").evaluate("button => button.scrollIntoView({ block: 'end' })")
    page.get_by_label("Agent", exact=True).evaluate("field => field.focus({ preventScroll: true })")
    page.keyboard.press("Enter")
    expect(page.locator("#send")).to_be_focused()
    expect(page.locator("#form-said")).to_contain_text("Trying again")
    expect(page.locator("#form-said")).to_be_in_viewport(ratio=0.95)
    assert page.get_by_label("Agent", exact=True).evaluate("field => Boolean(field.closest('[inert]'))")
    expect(page.locator("#clear")).to_be_disabled()
    page.locator("#stop").click()
    page.context.set_offline(False)
    page.get_by_label("Agent", exact=True).fill("agent-changed-mind")
    send(page)
    receipt(page)
    agents = [row[1] for row in live.stored("runs")]
    assert ("agent-under-way" in agents, "agent-changed-mind" in agents) == (False, True)


def test_another_report_begins_as_its_address_says(live: Live, page: Page) -> None:
    opened(page, live)
    filled(page, "agent-once-more")
    send(page)
    receipt(page)
    page.get_by_role("button", name="Send another").click()
    assert json.loads(page.locator("#json").inner_text()) == {"playbook": BOOK}
    opened(page, live, "/submit/?kind=lesson&title=Mine")
    page.locator("#f-body").fill("Look twice.")
    page.locator("#agreed").check()
    send(page)
    receipt(page)
    page.get_by_role("button", name="Send another").click()
    assert json.loads(page.locator("#json").inner_text()) == {"kind": "lesson"}


def test_a_cleared_form_has_no_warning_left(live: Live, page: Page) -> None:
    opened(page, live)
    page.get_by_label("Lesson", exact=True).fill(f"Ask {MAIL}.")
    page.get_by_label("Agent", exact=True).focus()
    expect(page.locator(".warning")).to_have_count(1)
    page.locator("#clear").click()
    expect(page.locator(".warning")).to_have_count(0)


def test_a_reload_between_sending_and_the_answer_stores_one_row(live: Live, page: Page) -> None:
    opened(page, live)
    filled(page, "agent-six")
    page.route("**/api/v1/runs", lambda route: (route.fetch(), route.abort()))
    send(page)
    expect(page.locator("#form-said")).to_contain_text("No answer came.")
    page.unroute("**/api/v1/runs")
    page.reload()
    expect(page.get_by_label("Agent", exact=True)).to_have_value("agent-six")
    page.locator("#agreed").check()
    send(page)
    receipt(page)
    assert [row[1] for row in live.stored("runs")].count("agent-six") == 1


def test_a_service_that_is_killed_and_comes_back_stores_one_row(library: Path, page: Page, tmp_path: Path) -> None:
    own = Live(library, tmp_path).start()
    opened(page, own)
    filled(page, "agent-seven")
    own.kill()
    send(page)
    expect(page.locator("#form-said")).to_contain_text("No answer came. Trying again")
    page.get_by_role("button", name="Stop trying").click()
    expect(page.locator("#form-said")).to_contain_text("it is stored only once")
    own.start()
    send(page)
    receipt(page)
    own.kill()
    assert [row[1] for row in own.stored("runs")] == ["agent-seven"]


def test_a_limit_says_when_to_send_again(library: Path, page: Page, tmp_path: Path) -> None:
    own = Live(library, tmp_path).start(PLAYBOOKS_WRITE_LIMITS="1 per hour")
    try:
        for agent in ("agent-eight", "agent-nine"):
            opened(page, own)
            filled(page, agent)
            send(page)
            if agent == "agent-eight":
                receipt(page)
        expect(page.locator("#form-said")).to_contain_text(
            re.compile(r"Too many requests\. Send it again in \d+ minutes")
        )
        expect(page.get_by_label("Agent", exact=True)).to_have_value("agent-nine")
    finally:
        own.kill()


def test_a_draft_survives_a_reload_until_it_is_cleared(live: Live, page: Page) -> None:
    opened(page, live)
    page.get_by_label("Failed").check()
    page.get_by_label("What changed").fill("It stopped at step 2.")
    page.get_by_text("Send it with an API key").click()
    page.get_by_label("API key", exact=True).fill("pbl_never_kept")
    page.reload()
    expect(page.get_by_label("What changed")).to_have_value("It stopped at step 2.")
    expect(page.get_by_label("Failed")).to_be_checked()
    assert "pbl_never_kept" not in page.evaluate("JSON.stringify({...sessionStorage})")
    page.get_by_role("button", name="Clear the form").click()
    page.reload()
    expect(page.get_by_label("Failed")).not_to_be_checked()
    expect(page.get_by_label("Playbook", exact=True)).to_have_value(BOOK)


def test_a_key_that_is_not_valid_is_said_at_its_field(live: Live, page: Page) -> None:
    opened(page, live)
    filled(page, "agent-ten")
    page.get_by_text("Send it with an API key").click()
    page.get_by_label("API key", exact=True).fill("pbl_wrong")
    page.get_by_label("Keep it until this tab is closed").check()
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("The key is not valid")
    expect(page.get_by_label("API key", exact=True)).to_be_focused()
    page.reload()
    expect(page.locator("#key")).to_have_value("pbl_wrong")


def test_a_service_that_is_away_leaves_the_other_ways(live: Live, page: Page) -> None:
    page.route("**/api/v1/healthz", lambda route: route.abort())
    page.goto(f"{live.address}/report/")
    expect(page.locator("#away")).to_be_visible()
    expect(page.locator("#form")).to_be_hidden()
    expect(page.get_by_text("On a command line")).to_be_visible()
    page.get_by_role("button", name="ask it again").click()
    expect(page.locator("#again-said")).to_have_text("Still no answer.")
    page.unroute("**/api/v1/healthz")
    page.get_by_role("button", name="ask it again").press("Enter")
    expect(page.locator("#form")).to_be_visible()
    expect(page.locator("#form input").first).to_be_focused()


@pytest.mark.parametrize("path", ["/report/", "/submit/"])
def test_without_scripts_there_is_no_dead_form(live: Live, browser: Browser, path: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(live.address + path)
    expect(page.get_by_text("This form needs scripts.")).to_be_visible()
    expect(page.locator("form#form")).to_be_hidden()
    expect(page.locator("pre", has_text="curl -X POST")).to_be_visible()
    page.close()


def test_a_report_needs_no_mouse(live: Live, page: Page) -> None:
    opened(page, live)
    page.locator("main").focus()
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.matches('#form [type=radio]')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("agent-eleven")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "agreed":
            page.keyboard.press("Space")
        if page.evaluate("document.activeElement.id") == "send":
            break
    page.keyboard.press("Enter")
    receipt(page)
    expect(page.locator("#receipt-head")).to_be_focused()
    assert (BOOK, "agent-eleven", "worked", None) in live.stored("runs")


def test_a_form_without_a_playbook_says_where_its_name_is(live: Live, page: Page) -> None:
    opened(page, live, "/report/")
    page.locator(".lede").get_by_role("link").click()
    page.get_by_role("link", name="Fix flaky tests").first.click()
    page.get_by_role("link", name="Report with a form").click()
    expect(page.get_by_label("Playbook", exact=True)).to_have_value(BOOK)


def test_pages_lead_to_the_forms_filled_in(live: Live, page: Page) -> None:
    page.goto(f"{live.address}/playbooks/{BOOK}/")
    page.get_by_role("link", name="Report with a form").click()
    expect(page.get_by_label("Playbook", exact=True)).to_have_value(BOOK)
    page.get_by_text("More about the run").click()
    expect(page.get_by_label("Playbook version")).to_have_value(re.compile("^[0-9a-f]{12}$"))
    page.goto(f"{live.address}/playbooks/{BOOK}/")
    page.get_by_role("link", name="Correct this").click()
    expect(page.get_by_role("radio", name="Correction")).to_be_checked()
    expect(page.get_by_label("Playbook", exact=True)).to_have_value(BOOK)
    page.goto(f"{live.address}/search/?q=zzyzx+%26+qqq")
    page.get_by_role("link", name="Request this job").click()
    expect(page.locator("#f-title")).to_have_value("zzyzx & qqq")
    expect(page.get_by_role("radio", name="Use case")).to_be_checked()


def test_the_page_of_states_asks_the_service_itself_where_files_are_served(live: Live, page: Page) -> None:
    opened(page, live, "/submit/?title=What+is+asked&kind=lesson")
    page.locator("#f-body").fill("The whole.")
    page.locator("#agreed").check()
    send(page)
    name = receipt(page)
    bare = f"{live.address}/submissions/"
    page.route("**/submissions/?id=*", lambda route: route.fulfill(response=route.fetch(url=bare)))
    page.goto(f"{bare}?id={name}")
    expect(page.locator(".verdict")).to_have_text(re.compile("Received: It waits for the review agent.|Screened: "))
    expect(page.locator("#status h2")).to_have_text("What is asked")
    page.goto(f"{bare}?id=sub_{'a' * 26}")
    expect(page.locator(".verdict")).to_have_text("There is no submission with this id.")
    page.goto(f"{bare}?id=edt_secret")
    expect(page.locator("#id")).to_have_value("")


def test_a_report_has_a_state_that_its_sender_can_read(live: Live, page: Page) -> None:
    opened(page, live)
    filled(page, "agent-twelve")
    send(page)
    receipt(page)
    page.get_by_role("link", name="Where it stands").click()
    expect(page.locator(".verdict")).to_have_text("Pending: it waits for an editor.")


SHIFTS = """new Promise(done => {
  new PerformanceObserver(list => done(list.getEntries().reduce((sum, one) => sum + one.value, 0)))
    .observe({type: "layout-shift", buffered: true});
  setTimeout(() => done(0), 500);
})"""


def test_nothing_moves_while_a_form_is_filled_in(live: Live, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 1700})  # what the part for a playbook pushes down is in view
    opened(page, live, "/submit/?kind=playbook")
    assert page.evaluate(SHIFTS) == 0
    fits(page)
