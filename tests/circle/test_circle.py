"""The circle: what contributors send comes back as files, pages and figures; each step by real processes and git."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import feedparser
import pytest
from playwright.sync_api import Browser, expect

from library.records.vocabulary import Scope, Trust
from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK, TODAY, prompt_of
from tests.writeapi.review.desk import a_payload
from tests.writeapi.review.outgoing import git

from .world import World, filled

__all__ = ["browser"]
pytestmark = [pytest.mark.slow, *IN_A_BROWSER]
NOTHING = "nothing to publish\n"
NOON = datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC)
NEW, OLD = "rename-a-python-package", "write-tests"
REPORTERS = ("bea", "cem", "dot")
HANDLES = ("ann", *REPORTERS, "fay")
WORKED = {"agent": "claude-code", "outcome": "worked"}
WORDS = {
    "difficulty": "beginner",
    "cost": "Nothing but tokens",
    "risk": "low",
    "risk_note": "Git has the old name.",
    "check": "The search finds what this step says.",
    "fix": "Search the documents too.",
    "title": "Packaging guide",
    "category": "software",
    "essence": "Search for the old name, change it, run the tests; a string in a test is what bites.",
    "no_trial": "Nobody has made a package for it.",
    "meaning": "What the text says it is.",
    "example": "old_name",
    "where": "The project's own file has it.",
    "summary": "A package gets another name, and nothing breaks.",
}
STEPS = [
    "Find every import of the old name. Use grep.",
    "Change them. Then run the tests.",
    "Rename the folder. Git follows it.",
    "Change the project's own file. Build a wheel from it.",
    "Say so in the changelog. Name both names.",
]
WENT_WRONG = ["The documents kept the old name.", "The wheel held both names.", "A string in a test was renamed too."]
EVIDENCE = """\
evidence:
  - title: How we renamed ours
    url: https://example.com/renamed
    platform: blog
    agent: Claude Code
    reported_outcome: The package was renamed, and its users noticed nothing.
"""
"""What the editor found beside what was sent: a playbook has to rest on something before it comes in."""
LESSON = {
    "--title": "A green run over an empty folder",
    "--problem": "The runner found no test at all, and said that all had passed.",
    "--fix": "Let the runner fail where it collects nothing.",
}
LESSON_SLUG = "a-green-run-over-an-empty-folder"


EVERYTHING = [word for scope in Scope for word in ("--scope", scope)]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.listener.close()


def test_what_is_sent_comes_back_published(world: World, browser: Browser) -> None:
    world.built()
    with world.serving(NOON - timedelta(days=10)):
        keys = {name: world.send("/contributors", {"handle": name})["api_key"] for name in HANDLES}
    world.playbooks("contributors", "promote", "fay", "--var", str(world.var))
    keys["fay"] = world.playbooks("contributors", "key", "fay", *EVERYTHING, "--var", str(world.var)).strip()
    with world.serving(NOON):
        book, runs = everything_sent(world, keys)
        assert world.review("screen").endswith("screened 8: 6 accept, 2 editor\n")
        accepted_in_the_browser(world, browser, keys["fay"], book)
        said = world.review("approve", *runs, "--yes", key=keys["fay"])
        assert sorted(said.split()) == sorted([*runs, *["approved"] * len(runs)])
        assert world.api(f"/playbooks/{OLD}")["runs"]["approved"] == 0
        published(world, [book, *runs], twice=True)
        the_playbook_is_there(world, book)
        the_runs_count(world)
        failed, taught = a_lesson_is_taken_from_a_failed_run(world, keys)
        one_run_is_withdrawn(world, runs[1], keys["fay"])
        nothing_is_there_twice(world, [book, taught, failed, runs[0], *runs[2:]], runs[1])


def everything_sent(world: World, keys: dict[str, str]) -> tuple[str, list[str]]:
    """A playbook by ann; a run of each of two playbooks by bea, cem and dot; a run by nobody with a key, as "bea"."""
    payload = a_payload(
        prompt=prompt_of("A package gets another name"),
        job="Rename a package",
        outcome="A package with its new name, and green tests.",
        what_went_wrong=WENT_WRONG,
        steps=STEPS,
        sources=["https://packaging.python.org/en/latest/"],
        time_taken="1-2 hours",
    )
    sent = {"kind": "playbook", "title": "A playbook for renaming", "body": "I did it three times.", "payload": payload}
    book = world.send("/submissions", sent, keys["ann"])["id"]
    told = [(slug, name) for slug in (OLD, BOOK) for name in REPORTERS]
    runs = [world.send("/runs", {**WORKED, "playbook": slug}, keys[name])["id"] for slug, name in told]
    runs.append(world.send("/runs", {**WORKED, "playbook": OLD, "reporter": "bea"})["id"])
    return book, runs


def accepted_in_the_browser(world: World, browser: Browser, key: str, book: str) -> None:
    """The editor signs in, fills the empty places, and accepts."""
    page, said = browser.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{world.site_url}/review")
    page.get_by_label("Your key").fill(key)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="A playbook for renaming").click()
    expect(page.get_by_text("is empty").first).to_be_visible()
    for place in page.get_by_label(re.compile(r"Text of file \d")).all():
        text = filled(place.input_value(), WORDS)
        place.fill(text + EVIDENCE if "\nprompt:" in text else text)
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("status")).to_contain_text("Accepted")
    page.close()
    assert said == []
    assert world.api(f"/submissions/{book}")["status"] == "accepted"


def published(world: World, subjects: list[str], *, twice: bool = False) -> None:
    """A branch for each, pushed once, however often it is asked for; merged, pulled, checked and built."""
    said = world.published()
    assert sorted(line.partition(":")[0] for line in said.splitlines()) == sorted(subjects), said
    if twice:
        heads = git(world.bare, "for-each-ref", "refs/heads/accepted")
        assert world.published() == NOTHING
        assert git(world.bare, "for-each-ref", "refs/heads/accepted") == heads
    assert world.merged() == sorted(subjects)
    assert world.published() == NOTHING
    world.built()


def settled(world: World, submission: str, place: str) -> None:
    """The sender reads that it is published, and where; that address answers."""
    address = f"{world.site_url}{place}"
    assert world.api(f"/submissions/{submission}")["status"] == "accepted"
    assert world.review("settle") == f"{submission}: published: {address}\n"
    assert world.review("settle") == NOTHING
    status = world.api(f"/submissions/{submission}")
    assert (status["status"], status["place"]) == ("published", address)
    assert world.get(status["place"]).status == 200


def the_playbook_is_there(world: World, book: str) -> None:
    """In every rendition and in the feed, and its sender can read where."""
    settled(world, book, f"/playbooks/{NEW}/")
    answer = world.api(f"/playbooks/{NEW}")
    assert (answer["title"], answer["risk"]) == ("Rename a Python package", WORDS["risk"])
    assert answer["failures"] == [{"problem": problem, "fix": WORDS["fix"]} for problem in WENT_WRONG]
    for path in (f"/playbooks/{NEW}/", f"/playbooks/{NEW}.md", f"/skills/{NEW}/SKILL.md"):
        assert "A package with its new name, and green tests." in world.text(path), path
    assert "/contributors/ann/" in world.text(f"/playbooks/{NEW}/")
    assert NEW in world.text("/contributors/ann/")
    assert world.found("/search?q=rename+package") == NEW
    assert f"{world.site_url}/playbooks/{NEW}/" in in_the_feed(world)


def the_runs_count(world: World) -> None:
    """Each report once: the three reporters who count confirm, and nobody in particular is one more."""
    book = world.api(f"/playbooks/{OLD}")
    assert counts(book["runs"]) == {"approved": 4, "worked": 4, "failed": 0, "pending": 0, "reporters": 4}
    assert book["trust"] == Trust.CONFIRMED
    assert (book["trust"], book["verdict"]) == (world.verdict(OLD).level, world.verdict(OLD).sentence)
    assert book["verdict"] in world.text(f"/playbooks/{OLD}/").replace("\n", " ")
    assert world.api(f"/playbooks/{NEW}")["trust"] == world.verdict(NEW).level == Trust.REPORTED
    stats = world.api("/stats")
    assert (stats["playbook_count"], stats["runs"]["approved"], stats["reporters"]) == (3, 7, 4)
    assert stats["by_trust"] == {"reported": 1, "corroborated": 0, "tested": 0, "confirmed": 2}
    assert "<dt>Approved runs</dt><dd>7</dd>" in world.text("/stats/")


def a_lesson_is_taken_from_a_failed_run(world: World, keys: dict[str, str]) -> tuple[str, str]:
    """What bea met becomes a lesson of the library that names her, and the report counts."""
    report = {"playbook": OLD, "agent": "claude-code", "outcome": "failed", "lesson": LESSON["--problem"]}
    failed = world.send("/runs", report, keys["bea"])["id"]
    words = [word for pair in LESSON.items() for word in pair]
    said = world.review("promote", failed, "--to", "lesson", *words, key=keys["fay"])
    taught = said.split()[-1]
    published(world, [failed, taught])
    settled(world, taught, f"/lessons/{LESSON_SLUG}/")
    lesson = world.api(f"/lessons/{LESSON_SLUG}")
    assert (lesson["title"], lesson["fix"]) == (LESSON["--title"], LESSON["--fix"])
    page = world.text(f"/lessons/{LESSON_SLUG}/")
    assert "/contributors/bea/" in page
    assert LESSON["--problem"] in page
    assert LESSON_SLUG in world.text("/contributors/bea/")
    assert world.api(f"/playbooks/{OLD}")["lessonSlugs"] == [LESSON_SLUG]
    assert f"{world.site_url}/lessons/{LESSON_SLUG}/" in in_the_feed(world)
    told = counts(world.api(f"/playbooks/{OLD}")["runs"])
    assert told == {"approved": 5, "worked": 4, "failed": 1, "pending": 0, "reporters": 4}
    return failed, taught


def one_run_is_withdrawn(world: World, run: str, key: str) -> None:
    """A tombstone takes its place; the figures follow, and with them the trust that rested on it."""
    assert world.verdict(OLD).level == Trust.CONFIRMED
    world.review("withdraw", run, "--reason", "not-credible", "--note", "Nobody saw it.", key=key)
    published(world, [run])
    tombstone = (world.content / f"runs/{OLD}/{run}.yaml").read_text()
    assert "status: withdrawn" in tombstone
    book = world.api(f"/playbooks/{OLD}")
    assert counts(book["runs"]) == {"approved": 4, "worked": 3, "failed": 1, "pending": 0, "reporters": 3}
    assert book["runs"]["withdrawn_count"] == 1
    assert book["trust"] == world.verdict(OLD).level == Trust.TESTED
    assert run not in {item["id"] for item in world.api(f"/runs?playbook={OLD}")["items"]}
    assert world.api("/stats")["runs"]["approved"] == 7


def nothing_is_there_twice(world: World, subjects: list[str], withdrawn: str) -> None:
    """One commit for each decision, with who gave and who reviewed it; one file and one row for each report."""
    for subject in subjects:
        assert len(world.trailers(subject)) == 1, subject
    assert world.trailers(withdrawn) == [f"Contributed-by: cem, Reviewed-by: fay, Submission: {withdrawn}"] * 2
    assert world.trailers(subjects[0]) == [f"Contributed-by: ann, Reviewed-by: fay, Submission: {subjects[0]}"]
    givers = sorted(world.trailers(subject)[0].split(",")[0].split()[1] for subject in subjects)
    assert givers == ["ann", "anonymous", "bea", "bea", "bea", "bea", "cem", "dot", "dot"]
    listed = [item["id"] for item in world.api("/runs")["items"]]
    assert sorted(listed) == sorted(subject for subject in subjects if subject.startswith("run_"))
    files = sorted(path.stem for path in world.content.glob("runs/*/*.yaml"))
    assert files == sorted([*listed, withdrawn])
    assert git(world.checkout, "status", "--porcelain") == ""
    assert world.formatted() == ""


def counts(runs: dict[str, int]) -> dict[str, int]:
    """The figures of a playbook that the circle moves."""
    return {name: runs[name] for name in ("approved", "worked", "failed", "pending", "reporters")}


def in_the_feed(world: World) -> set[str]:
    """Where the entries of the feed lead."""
    feed = feedparser.parse(world.get("/feed.xml").body)
    assert feed.bozo is False
    return {entry.link for entry in feed.entries}
