"""Small builders of records, of a library in memory and of a content folder on disk, for every room of the tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from library.records.collection import EvidenceEntry, Library, PlaybookEntry, TestedEntry, assemble, entry
from library.records.models import Agent, AIModel, AIModels, Categories, Lesson, Playbook, Run, Site, Task
from library.records.vocabulary import UNNAMED_AGENT, Account, Arm, Outcome

TODAY = date(2026, 11, 20)
"""The day on which everything in the tests happens."""

BOOK = "fix-flaky-tests"
"""The slug of the one playbook, and of its task, that the minimal content holds."""

SITE = """\
title: Playbook Library
tagline: Tested playbooks for jobs done with AI agents
site_url: https://playbooks.example
licence:
  name: CC BY 4.0
  url: https://creativecommons.org/licenses/by/4.0/
contact: https://playbooks.example/docs/takedown/
"""
CATEGORIES = """\
categories:
  - slug: software
    name: Software
    summary: Writing, testing and repairing code.
"""
TASK = """\
name: Fix flaky tests
category: software
summary: Find out why tests pass and fail on the same code.
"""
AGENT = """\
name: Claude Code
vendor: Anthropic
url: https://www.claude.com/product/claude-code
summary: A coding agent that runs in the terminal.
"""
PROMPT = (
    "Find out why the tests in {{repository}} are flaky, and mend the cause. Read the logs of three red runs and one"
    " green run first, then the test and the code that it calls. Run the test a hundred times on the untouched branch"
    " and write down how often it fails. Name one cause and show it by a change that makes the failure certain, then"
    " undo it. Stop and ask before you edit code of the product. Hand back the cause, the difference, the command and"
    " both counts."
)
PLAYBOOK = f"""\
title: Fix flaky tests
task: fix-flaky-tests
agents:
  - claude-code
summary: Find the cause of a flaky test, remove it.
outcome: A test suite that gives the same answer twice.
difficulty: intermediate
time: 1-4 hours
cost: Mostly tokens
risk: low
risk_note: Only the code of tests changes.
prompt: {PROMPT}
steps:
  - title: Reproduce it
    detail: Run the test a hundred times.
    check: It failed at least once.
updated: 2026-11-01
"""
LESSON = """\
title: The stress run is green without the fix too
problem: The failure needs load, and the run had none.
fix: Reproduce the failure before mending it.
playbooks:
  - fix-flaky-tests
updated: 2026-11-01
contributors:
  - handle: ada
"""
RUN = """\
playbook: fix-flaky-tests
playbook_version: 0a1b2c3d4e5f
agent: claude-code
outcome: worked
reported: 2026-11-10T12:00:00Z
"""
MINIMAL: Mapping[str, str] = {
    "site.yaml": SITE,
    "categories.yaml": CATEGORIES,
    f"tasks/{BOOK}.yaml": TASK,
    "agents/claude-code.yaml": AGENT,
    f"playbooks/{BOOK}.yaml": PLAYBOOK,
}
"""The smallest content in which `check` finds nothing."""


def complete(text: str) -> str:
    """A playbook's text with all that is asked for before it comes in: an essence, inputs, five steps and so on."""
    steps = "".join(
        f"  - title: Part {number}\n    detail: Do part {number}.\n    check: Part {number} is written down.\n"
        for number in range(2, 6)
    )
    failures = "".join(
        f"  - problem: Fault {number} is met.\n    fix: Mend fault {number}.\n" for number in range(1, 4)
    )
    evidence = (
        "  - title: A day with it\n    url: https://example.com/a-day-with-it\n    platform: blog\n"
        "    agent: Claude Code\n    reported_outcome: It worked.\n"
    )
    short = "essence: Run the test a hundred times, mend the cause, run it again.\n"
    inputs = "inputs:\n  - name: repository\n    meaning: The code.\n    example: app\n    where: Your disk.\n"
    text = text.replace("outcome:", f"{short}outcome:", 1).replace("steps:", f"{inputs}steps:", 1)
    text = text.replace("updated:", f"{steps}failures:\n{failures}evidence:\n{evidence}updated:", 1)
    return f"{text}no_trial: It needs weeks of runs.\n"


def write_content(folder: Path, changes: Mapping[str, str | bytes | None] | None = None) -> Path:
    """Write the minimal content, changed by path (None leaves a file out), and return its folder."""
    content = folder / "content"
    for name, body in {**MINIMAL, **(changes or {})}.items():
        if body is not None:
            put(content, name, body)
    return content


def put(content: Path, name: str, body: str | bytes) -> None:
    """Write one file of the content, bytes as they are, and the folders above it."""
    path = content / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body.encode() if isinstance(body, str) else body)


def titled(text: str, title: str) -> str:
    """A record's text with another title, so that no two cases say the same."""
    first, rest = text.split("\n", 1)
    return f"{first.partition(':')[0]}: {title}\n{rest.replace(PROMPT, prompt_of(title))}"


def prompt_of(title: str) -> str:
    """The prompt of the playbook with this title: long enough, and no sentence like another's."""
    return PROMPT if title == "Fix flaky tests" else PROMPT.replace(".", f" for {title}.")


def a_playbook(slug: str = BOOK, **changes: Any) -> Playbook:
    """A whole playbook; `changes` are fields as YAML would give them."""
    values: dict[str, Any] = {
        "title": "Fix flaky tests",
        "task": BOOK,
        "agents": ("claude-code",),
        "summary": "Find the cause of a flaky test, remove it.",
        "outcome": "A test suite that gives the same answer twice.",
        "difficulty": "intermediate",
        "time": "1-4 hours",
        "cost": "Mostly tokens",
        "risk": "low",
        "risk_note": "Only the code of tests changes.",
        "prompt": PROMPT,
        "steps": ({"title": "Reproduce it", "detail": "Run it a hundred times.", "check": "It failed at least once."},),
        "updated": "2026-11-01",
    }
    return Playbook.model_validate({**values, **changes}).filed(f"playbooks/{slug}.yaml")


def an_entry(slug: str = BOOK, **changes: Any) -> PlaybookEntry:
    """What the library keeps of a playbook; `changes` are fields of the entry itself."""
    return msgspec.structs.replace(entry(a_playbook(slug)), **changes)


VERSION = an_entry().version
"""The version of the playbook that `a_playbook` gives: what `a_run` ran."""


def an_account(number: int = 1, **changes: Any) -> EvidenceEntry:
    """A first-hand account that worked; accounts with different numbers are independent of each other."""
    values: dict[str, Any] = {
        "site": f"site{number}.example",
        "author": f"author{number}",
        "account": Account.FIRST_HAND,
        "outcome": Outcome.WORKED,
    }
    return EvidenceEntry(**{**values, **changes})


def a_test(outcome: Outcome = Outcome.WORKED, version: str = VERSION) -> TestedEntry:
    """A test by the editors."""
    return TestedEntry(version, "claude-code", outcome)


def a_trial_run(outcome: Outcome = Outcome.WORKED, version: str = VERSION, **changes: Any) -> TestedEntry:
    """A run on the trial, with the playbook, in a sandbox, its transcript read; `changes` say what is otherwise."""
    return TestedEntry(version, UNNAMED_AGENT, outcome, **{"arm": Arm.PLAYBOOK, "watched": True, **changes})


def a_run(slug: str = "run-1", *, by: str | None = None, **changes: Any) -> Run:
    """An approved run that worked; `by` names the contributor whose key it was sent with, created long ago."""
    values: dict[str, Any] = {
        "playbook": BOOK,
        "playbook_version": VERSION,
        "agent": "claude-code",
        "outcome": "worked",
        "reported": "2026-11-10T12:00:00Z",
    }
    if by:
        values.update(reporter=by, verified=True, contributor_since="2025-01-01")
    run = Run.model_validate({**values, **changes})
    return run.filed(f"runs/{run.playbook}/{slug}.yaml")


def a_lesson(slug: str = "stress-run-is-green-without-the-fix-too", **changes: Any) -> Lesson:
    """A lesson about the playbook that `a_playbook` gives."""
    values: dict[str, Any] = {
        "title": "The stress run is green without the fix too",
        "problem": "The failure needs load, and the run had none.",
        "fix": "Reproduce the failure before mending it.",
        "playbooks": (BOOK,),
        "updated": "2026-11-01",
    }
    return Lesson.model_validate({**values, **changes}).filed(f"lessons/{slug}.yaml")


def an_agent(slug: str = "claude-code", **changes: Any) -> Agent:
    """An agent."""
    values = {
        "name": "Claude Code",
        "vendor": "Anthropic",
        "url": "https://www.claude.com/",
        "summary": "A coding agent.",
    }
    return Agent.model_validate({**values, **changes}).filed(f"agents/{slug}.yaml")


def a_task(slug: str = BOOK, **changes: Any) -> Task:
    """A task of the category `software`."""
    values = {"name": "Fix flaky tests", "category": "software", "summary": "Find out why they are flaky."}
    return Task.model_validate({**values, **changes}).filed(f"tasks/{slug}.yaml")


def the_categories(*slugs: str) -> Categories:
    """The categories of these slugs."""
    named = [{"slug": slug, "name": slug.capitalize(), "summary": f"All of {slug}."} for slug in slugs]
    return Categories.model_validate({"categories": named}).filed("categories.yaml")


def the_site(**changes: Any) -> Site:
    """The site's own record."""
    address = "https://playbooks.example"
    values = {
        "title": "Playbook Library",
        "tagline": "Tested playbooks",
        "site_url": address,
        "contact": f"{address}/docs/",
    }
    licence = {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}
    return Site.model_validate({**values, "licence": licence, **changes}).filed("site.yaml")


def a_library(
    playbooks: Iterable[PlaybookEntry] | None = None,
    *,
    runs: Iterable[Run] = (),
    lessons: Iterable[Lesson] = (),
    agents: Iterable[Agent] | None = None,
    tasks: Iterable[Task] | None = None,
    categories: Iterable[str] = ("software",),
    models: Iterable[AIModel] = (),
    pending: Mapping[str, int] | None = None,
    today: date = TODAY,
) -> Library:
    """A library in memory: one playbook with its task and agent, unless told otherwise."""
    books = [an_entry()] if playbooks is None else playbooks
    makers = [an_agent()] if agents is None else agents
    jobs = [a_task()] if tasks is None else tasks
    called = AIModels(models=tuple(models)).filed("models.yaml")
    files = (the_site(), the_categories(*categories), called)
    return assemble([*files, *books, *makers, *jobs, *lessons, *runs], today, pending)
