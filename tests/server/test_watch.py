"""`serve --watch`: a save is in the page at once, problems are shown over it, and what is built stays the same."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from build.pipeline import Resident, build
from build.settings import BuildSettings
from server.commands import LenientSources, Watch
from server.work import meanwhile
from tests import calls
from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK, LESSON, PLAYBOOK, TODAY, put, titled, write_content
from tests.cli.test_commands import run
from tests.server.test_serve import start

__all__ = ["browser"]
AS_SOMEBODY = ("-c", "user.name=Somebody", "-c", "user.email=somebody@mail.example")
PAGE = f"/playbooks/{BOOK}/"
FILE = f"playbooks/{BOOK}.yaml"
SECONDS = 60
Serving = tuple[Path, str]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Serving]:
    content = write_content(tmp_path)
    process, address = start(content, tmp_path / "out", "--watch")
    yield content, address
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=SECONDS)  # it ends though a stream may be open
    assert "Traceback" not in said


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < ends, "it did not come"
        time.sleep(0.1)


def save(content: Path, old: str, new: str) -> None:
    text = (content / FILE).read_text()
    assert old in text
    (content / FILE).write_text(text.replace(old, new))


@pytest.mark.slow
def test_a_stream_says_how_it_stands_and_what_each_save_came_to(watched: Serving) -> None:
    content, address = watched
    with calls.stream("GET", f"{address}/-/watch", timeout=SECONDS) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        ends = time.monotonic() + 3 * SECONDS
        told = (json.loads(line[6:] if line.startswith("data: ") else "{}") for line in stream.iter_lines() if line)

        def until(build: int, words: str = "") -> None:
            for event in told:
                assert time.monotonic() < ends, f"not told of {build} {words!r}, last of {event}"
                if event.get("build", -1) >= build and (
                    words in " ".join(event["problems"]) if words else not event["problems"]
                ):
                    return
            raise AssertionError("the stream ended")

        until(0)
        save(content, "title: Fix flaky tests", "title: Fix them")
        until(1)
        put(content, "notes.txt", "No content")
        until(2, f"{content / 'notes.txt'}:1:1: error: is no file of the content")
        (content / "notes.txt").unlink()
        until(3)
        put(content.parent / "theme", "404.html", "{% if %}")
        until(1, "404.html:1: ")
        put(content.parent / "theme", "404.html", "<p>Nothing</p>")
        for _ in told:  # one event when single records are written, one when all is
            if calls.get(f"{address}/nothing").text == "<p>Nothing</p>":
                return
    raise AssertionError("the page is as it was")


@pytest.mark.slow
def test_a_content_folder_that_is_replaced_is_watched(watched: Serving) -> None:
    content, address = watched
    shutil.copytree(content, content.with_name("fresh"))
    content.rename(content.with_name("before"))
    content.with_name("fresh").rename(content)
    time.sleep(1.5)  # the watch looks for it every second
    save(content, "title: Fix flaky tests", "title: Fix them")
    until(lambda: "Fix them" in calls.get(f"{address}{PAGE}").text)


@pytest.mark.slow
@pytest.mark.parametrize("late", [False, True])
def test_a_commit_is_a_save_too(tmp_path: Path, late: bool) -> None:
    """In a repository that keeps no log of what was checked out, and in one that is made after the start."""
    content = write_content(tmp_path)

    def git(*arguments: str) -> None:
        subprocess.run(["git", "-C", str(tmp_path), *AS_SOMEBODY, *arguments], check=True, capture_output=True)

    def begin() -> None:
        git("init", "-q")
        git("config", "core.logAllRefUpdates", "false")
        git("add", "content")
        git("commit", "-qm", "All of it")

    if not late:
        begin()
    process, address = start(content, tmp_path / "out", "--watch")
    try:
        if late:
            begin()
        save(content, "title: Fix flaky tests", "title: Fix them")
        until(lambda: "Fix them" in calls.get(f"{address}{PAGE}").text)
        until(lambda: len(calls.get(f"{address}/api/v1/playbooks/{BOOK}").json()["history"]) == 1)
        git("commit", "-qam", "A shorter title")
        until(lambda: len(calls.get(f"{address}/api/v1/playbooks/{BOOK}").json()["history"]) == 2)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)


def test_a_new_day_is_built_by_itself(tmp_path: Path) -> None:
    settings = BuildSettings(write_content(tmp_path), tmp_path / "out", TODAY)
    build(settings)
    days, built = [TODAY], list[date]()
    sources = LenientSources(settings.content)
    watch = Watch(settings, lambda: built.append(days[-1]), lambda: days[-1], Resident(sources), sources)
    with meanwhile(watch.run, watch.stop):
        days.append(TODAY + timedelta(days=1))
        until(lambda: built == days[1:])


def test_a_build_keeps_the_names_that_editors_complete(tmp_path: Path) -> None:
    settings = BuildSettings(write_content(tmp_path), tmp_path / "out", TODAY)
    (tmp_path / "schemas").mkdir()
    put(settings.content, "agents/another.yaml", "name: [broken\n")
    sources = LenientSources(settings.content)
    Watch(settings, lambda: None, lambda: TODAY, Resident(sources), sources).rebuild()
    assert b'"another"' in (tmp_path / "schemas/playbook.json").read_bytes()


@pytest.mark.slow
def test_the_server_adds_the_script_and_the_build_does_not(watched: Serving) -> None:
    content, address = watched
    answer = calls.get(f"{address}{PAGE}", headers={"Accept-Encoding": "identity"})
    assert '<script defer src="/-/watch.js" data-build="0"></script>' in answer.text
    assert "etag" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert int(answer.headers["content-length"]) == len(answer.content)
    again = calls.get(f"{address}{PAGE}", headers={"If-None-Match": "*"})
    assert again.status_code == 200
    built = (content.parent / "out" / PAGE.strip("/") / "index.html").read_text()
    assert "/-/" not in built
    assert calls.head(f"{address}{PAGE}").status_code == 200
    assert calls.get(f"{address}/api/v1/playbooks/{BOOK}").headers["etag"]
    assert calls.get(f"{address}/-/watch.css").headers["content-type"].startswith("text/css")


@pytest.mark.slow
def test_a_draft_has_a_page_at_once_and_keeps_nobody_from_anything(tmp_path: Path) -> None:
    """One is broken at the start, one is begun; another file goes through; both are mended and published."""
    content = write_content(tmp_path, {"lessons/odd.yaml": LESSON.replace("fix: ", "fix: <i>: ")})
    process, address = start(content, tmp_path / "out", "--watch")
    try:
        odd = calls.get(f"{address}/lessons/odd/").text
        assert "odd.yaml</code>" in odd
        assert "<code>3:" in odd, "the line that cannot be read"
        assert "<i>" not in odd
        began = run("new", "playbook", "--title", "Tune a piano", "--content", content, "--today", str(TODAY))
        assert began.exit_code == 0, began.output
        page, answer = f"{address}/playbooks/tune-a-piano/", f"{address}/api/v1/playbooks/tune-a-piano"
        until(lambda: calls.get(page).status_code == 200)
        assert "is still to be written: The slug of the task" in calls.get(page).text
        assert "unsafe" not in calls.get(page).headers["content-security-policy"]
        assert calls.get(answer).status_code == 404
        save(content, "title: Fix flaky tests", "title: Fix them")
        until(lambda: "Fix them" in calls.get(f"{address}{PAGE}").text)
        assert "tune-a-piano" not in calls.get(f"{address}/playbooks/").text
        put(content, "playbooks/tune-a-piano.yaml", titled(PLAYBOOK, "Tune a piano"))
        until(lambda: calls.get(answer).status_code == 200)
        until(lambda: "Draft." not in calls.get(page).text)
        put(content, "lessons/odd.yaml", LESSON)
        until(lambda: calls.get(f"{address}/api/v1/lessons/odd").status_code == 200)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)


def test_only_this_machine_may_watch(tmp_path: Path) -> None:
    result = run("serve", "--watch", "--host", "0.0.0.0", "--content", write_content(tmp_path), "--port", "0")
    assert result.exit_code == 2
    assert "--watch is for this machine alone" in result.output


def test_without_watch_there_is_nothing_of_it(tmp_path: Path) -> None:
    process, address = start(write_content(tmp_path), tmp_path / "out")
    try:
        assert calls.get(f"{address}/-/watch").status_code == 404
        assert "/-/" not in calls.get(f"{address}{PAGE}").text
    finally:
        process.terminate()
        process.communicate(timeout=SECONDS)


class TestInABrowser:
    pytestmark = IN_A_BROWSER

    @pytest.fixture
    def page(self, watched: Serving, browser: Browser) -> Iterator[Page]:
        page = browser.new_page()
        page.set_default_timeout(SECONDS * 1_000)
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(f"{watched[1]}{PAGE}")
        yield page
        assert [text for text in complaints if "Content Security Policy" in text] == []
        page.close()

    def test_a_page_follows_its_file_shows_problems_and_goes_back(self, watched: Serving, page: Page) -> None:
        content, address = watched
        heading, box = page.get_by_role("heading", level=1), page.locator("#draft")
        expect(heading).to_have_text("Fix flaky tests")
        save(content, "title: Fix flaky tests", "title: Fix them")
        expect(heading).to_have_text("Fix them", timeout=SECONDS * 1_000)
        save(content, "title: Fix them", "title: <i>TODO</i>\nodd: x")
        expect(box).to_contain_text("odd: is not a known key", timeout=SECONDS * 1_000)
        expect(page.locator("main i")).to_have_count(0)
        expect(heading).to_have_text("<i>TODO</i>")
        page.reload()
        expect(box).to_contain_text("odd: is not a known key")
        save(content, "title: <i>TODO</i>\nodd: x", "title: Fix them all")
        expect(heading).to_have_text("Fix them all", timeout=SECONDS * 1_000)
        expect(box).to_have_count(0)
        page.goto(f"{address}/playbooks/later/")
        put(content, "playbooks/later.yaml", "title: Tune a piano\nstatus: draft\n")
        expect(heading).to_have_text("Tune a piano", timeout=SECONDS * 1_000)
        put(content, "notes.txt", "No content")
        problems = page.locator("#watch-problems")
        expect(problems).to_contain_text("is no file of the content", timeout=SECONDS * 1_000)
        assert page.locator("#watch").evaluate("box => getComputedStyle(box).position") == "fixed"

    def test_what_keeps_a_saved_file_from_being_merged_is_shown_so(self, watched: Serving, page: Page) -> None:
        content, _ = watched
        merge = page.locator("#watch-merge")
        expect(merge).to_have_count(0)
        save(content, "title: Fix flaky tests", "title: Fix them")
        expect(merge).to_contain_text("before a merge (check --for-merge)", timeout=SECONDS * 1_000)
        expect(merge).to_contain_text("5 to 9 are asked for")
        expect(page.locator("#watch-problems")).to_have_count(0)
        expect(page.get_by_role("heading", level=1)).to_have_text("Fix them", timeout=SECONDS * 1_000)

    def test_a_style_of_the_theme_is_shown_when_it_is_saved(self, watched: Serving, page: Page) -> None:
        content, _ = watched
        put(content.parent / "theme/assets", "style.css", "body { background: rgb(1, 2, 3); }")
        expect(page.locator("body")).to_have_css("background-color", "rgb(1, 2, 3)", timeout=SECONDS * 1_000)
