"""The pages in a real browser: nothing overflows or comes from elsewhere, everything works without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page

from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK
from tests.lengths import many
from tests.rich import write_rich_content
from tests.server.test_serve import start

__all__ = ["browser"]
pytestmark = IN_A_BROWSER
PAGES = (
    "/",
    "/playbooks/",
    f"/playbooks/{BOOK}/",
    "/playbooks/gone/",
    "/playbooks/older/",
    "/lessons/",
    "/lessons/stress-run-is-green-without-the-fix-too/",
    "/tasks/",
    f"/tasks/{BOOK}/",
    "/compare/",
    f"/compare/{BOOK}/",
    "/categories/",
    "/categories/software/",
    "/agents/",
    "/agents/cursor/",
    "/contributors/",
    "/contributors/ada-l/",
    "/stats/",
    "/trust/",
    "/search/",
    "/search/?q=flaky+tests",
    "/search/?q=nothing+like+this+zzzz",
    "/docs/",
    "/docs/interface/",
    "/docs/errors/",
    "/docs/checks/",
    "/docs/fields/",
    "/docs/reasons/",
    "/submissions/",
    "/report/",
    "/submit/",
    "/submit/?kind=playbook",
    "/nothing",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("browser")
    process, address = start(write_rich_content(folder), folder / "out")
    yield address
    process.terminate()
    process.communicate(timeout=60)


# On a phone test_checkers_pages.py looks at every page of this library, and the forms' tests at theirs.
@pytest.fixture(params=many([768, 1440], [360, 768, 1440]))
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": request.param, "height": 800}, java_script_enabled=True)
    yield page
    page.close()


FITS = "document.documentElement.scrollWidth <= innerWidth && (scrollTo(-9999, 0), scrollX === 0)"


@pytest.mark.parametrize(
    ("wide", "changed"), [(360, "dir = 'rtl'"), (1280, "dir = 'rtl'"), (1280, "style.fontSize = '200%'")]
)
def test_pages_fit_from_right_to_left_and_with_text_of_twice_the_size(
    site: str, browser: Browser, wide: int, changed: str
) -> None:
    page = browser.new_page(viewport={"width": wide, "height": 800}, java_script_enabled=True)
    wider = []
    for path in PAGES:
        page.goto(site + path)
        page.evaluate(f"document.documentElement.{changed}")
        wider += [] if page.evaluate(FITS) else [path]
    page.close()
    assert wider == []


def test_pages_fit_and_load_only_their_own(site: str, page: Page) -> None:
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(f"{page.url}: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"{page.url}: {error}"))
    for path in PAGES:
        page.goto(site + path)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{path} is {wide} px too wide"
        assert page.locator("h1").count() == 1
    assert {url for url in asked if not url.startswith(f"{site}/")} == set()
    assert [line for line in said if "/nothing" not in line] == []


def test_the_keyboard_reaches_the_content_first(site: str, page: Page) -> None:
    page.goto(f"{site}/playbooks/{BOOK}/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent").strip().lower().startswith("skip")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


def test_a_reader_without_scripts_searches_and_arrives(site: str, browser: Browser) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(site)
    page.get_by_role("searchbox").or_(page.locator("input[name=q]")).first.fill("tests flaky")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=*")
    page.locator("main").get_by_role("link", name="Fix flaky tests").first.click()
    page.wait_for_url(f"**/{BOOK}/")
    page.close()


def test_a_sender_without_scripts_looks_a_submission_up(site: str, browser: Browser) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{site}/submissions/")
    page.get_by_label("Id of the submission or report").fill("sub_" + "a" * 26)
    page.get_by_role("button", name="Look up").click()
    page.wait_for_url("**/submissions/?id=sub_*")
    assert page.get_by_role("alert").inner_text() == "There is no submission with this id."
    page.close()


def test_a_former_slug_leads_to_its_playbook(site: str, browser: Browser) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{site}/playbooks/old-flaky/")
    page.wait_for_url(f"**/{BOOK}/")
    page.close()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Another site: an empty page on another port."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "index.html").write_text("<!doctype html><title>Elsewhere</title>")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SilentHandler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


class SilentHandler(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


ASK = """([method, path, body]) =>
  fetch(path, {method, body, headers: body ? {"Content-Type": "application/json"} : {}})
    .then(answer => answer.status, () => 0)"""


def test_a_page_of_another_site_reads_and_cannot_write(site: str, elsewhere: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(elsewhere)
    report = f'{{"playbook": "{BOOK}", "agent": "x", "outcome": "worked"}}'
    assert page.evaluate(ASK, ["GET", f"{site}/api/v1/playbooks", None]) == 200
    assert page.evaluate(ASK, ["POST", f"{site}/api/v1/runs", report]) == 0
    page.goto(site)
    assert page.evaluate(ASK, ["POST", "/api/v1/runs", report]) == 201
    page.close()


def test_dark_is_dark_and_light_is_light(site: str, browser: Browser) -> None:
    shades = {}
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
        page.goto(site)
        shades[scheme] = page.evaluate(
            "(() => { const c = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3);"
            " return c.map(Number).reduce((a, b) => a + b) })()"
        )
        page.close()
    assert shades["dark"] < 200
    assert shades["light"] > 600


def test_a_printed_playbook_holds_prompt_and_checks(site: str, browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(f"{site}/playbooks/{BOOK}/")
    page.pdf(path=tmp_path / "book.pdf")
    assert (tmp_path / "book.pdf").stat().st_size > 10_000
    page.emulate_media(media="print")
    assert page.locator("pre").first.is_visible()
    assert page.get_by_text("It failed at least once.").first.is_visible()
    assert not page.locator("header nav").first.is_visible()
    page.close()
