"""Forty mistakes that agents make when they report: each is taken as it was meant, or told so that one retry does.

The table was written before the code that answers it. Where a mistake is refused, the answer must hold the words from
which the retry follows, and the retry must be taken.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from build.views.routes import API
from tests.builders import BOOK, TODAY
from tests.rich import write_rich_content
from tests.service import HERE, Client, a_service
from tests.trees import built

RUN: dict[str, Any] = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
IDEA: dict[str, Any] = {"title": "Tune a piano", "body": "Somebody asked for this job."}
WHOLE: dict[str, Any] = {
    **IDEA,
    "kind": "playbook",
    "payload": {
        "title": "Tune a piano",
        "agents": ["claude-code"],
        "summary": "By ear.",
        "prompt": "Tune it.",
        "steps": ["Listen.", "Turn the pin."],
    },
}
AIM = 39
GIT = ("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com")
ARN = "arn:aws:bedrock:eu-central-1:000000000000:inference-profile/eu.vendor.some-large-model-20260101-v1:0"


@dataclass(frozen=True)
class Mistake:
    """What is sent; what its receipt says it was read as, or words of a refusal with the retry that they lead to."""

    name: str
    path: str
    body: Any
    read_as: dict[str, Any] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    retry: Any = None
    headers: dict[str, str] = field(default_factory=dict)


def run(name: str, read_as: dict[str, Any] | None = None, told: tuple[str, ...] = (), **fields: Any) -> Mistake:
    return Mistake(name, "/runs", {**RUN, **fields}, read_as or {}, told, RUN)


def payload(name: str, told: tuple[str, ...] = (), **fields: Any) -> Mistake:
    return Mistake(name, "/submissions", {**WHOLE, "payload": {**WHOLE["payload"], **fields}}, {}, told, WHOLE)


BOOK_IT_IS = {"playbook": BOOK}
OUTCOMES = ("'worked'", "'worked_with_changes'", "'failed'")
MISSING = ("/playbook", "/agent", "/outcome", "is missing")
KNOWN_KEYS = ("known are playbook, agent, outcome",)
MISTAKES: tuple[Mistake, ...] = (
    # which playbook
    run("the title", BOOK_IT_IS, playbook="Fix flaky tests"),
    run("the page's address", BOOK_IT_IS, playbook=f"{HERE}/playbooks/{BOOK}/"),
    run("the address of the JSON", BOOK_IT_IS, playbook=f"{HERE}/api/v1/playbooks/{BOOK}"),
    run("the address of the markdown", BOOK_IT_IS, playbook=f"{HERE}/playbooks/{BOOK}.md"),
    run("the address of the skill", BOOK_IT_IS, playbook=f"{HERE}/skills/{BOOK}/SKILL.md"),
    run("the address of the MCP resource", BOOK_IT_IS, playbook=f"playbook://{BOOK}"),
    run("the id in search's index", BOOK_IT_IS, playbook=f"playbook/{BOOK}"),
    run("underscores", BOOK_IT_IS, playbook="fix_flaky_tests"),
    run("capitals and a space at the end", BOOK_IT_IS, playbook="Fix-Flaky-Tests "),
    run("a former slug", BOOK_IT_IS, playbook="old-flaky"),
    run("a letter too few", told=("did you mean 'fix-flaky-tests'?",), playbook="fix-flaky-test"),
    run("another library's address", told=("'fix-flaky-tests'",), playbook=f"https://other.example/playbooks/{BOOK}/"),
    run("an object in place of the slug", told=("must be text", "name in addresses"), playbook={"slug": BOOK}),
    run("a withdrawn playbook", told=("withdrawn", "replaced by 'fix-flaky-tests'"), playbook="gone"),
    # which version
    run("a version in capitals", {"playbook_version": "{version}"}, playbook_version="{VERSION}"),
    run("the word latest", told=("12 hex digits", "leave it out"), playbook_version="latest"),
    run("a version that never was", told=("{version}",), playbook_version="0123456789ab"),
    run("a number as version", told=("12 hex digits", "leave it out"), playbook_version="1.0.0"),
    # who did it
    run("the agent by its name", agent="Claude Code"),
    run("the agent with its version", agent="claude-code/2.1.7 (external, cli)"),
    run("a model of 99 characters", model=ARN),
    run("a number as the agent's version", told=("must be text", "quotes"), agent_version=2.1),
    Mistake("no agent", "/runs", {"playbook": BOOK, "outcome": "worked"}, {}, ("/agent", "missing"), RUN),
    # how it went
    run("minutes as text", {"duration_minutes": 30}, duration_minutes="30"),
    run("minutes with a fraction", told=("whole number",), duration_minutes=29.6),
    run("minutes with their unit", told=("whole number", "such as 30"), duration_minutes="30 minutes"),
    run("the outcome in capitals", {"outcome": "worked"}, outcome="WORKED"),
    run("the outcome in words", {"outcome": "worked_with_changes"}, outcome="Worked with changes"),
    run("another word for the outcome", told=OUTCOMES, outcome="success"),
    run("a truth value for the outcome", told=OUTCOMES, outcome=True),
    # what the fields are called
    Mistake("the slug as slug", "/runs", {"slug": BOOK, "agent": "x", "outcome": "worked"}, {}, KNOWN_KEYS, RUN),
    run("notes", told=("what_changed", "lesson"), notes="It went well."),
    run("an empty optional text", told=("/lesson", "remove the key"), lesson=""),
    Mistake("everything in an object", "/runs", {"report": RUN}, {}, MISSING, RUN),
    # how it is sent
    Mistake("a form in place of JSON", "/runs", RUN, {}, ("Content-Type: application/json",), RUN,
            {"Content-Type": "application/x-www-form-urlencoded"}),
    # submissions
    Mistake("a kind with a hyphen", "/submissions", {**IDEA, "kind": "use-case"}, {"kind": "use_case"}),
    Mistake("a correction of an address", "/submissions",
            {**IDEA, "kind": "correction", "playbook": f"{HERE}/playbooks/{BOOK}/"}, BOOK_IT_IS),
    payload("a source that is no address", sources=["The README of pull request 4"]),
    payload("steps as objects", ("/payload/steps/0", "must be text"), steps=[{"title": "Listen.", "detail": "Long."}]),
    payload("one agent without a list", ("/payload/agents", "array"), agents="claude-code"),
)  # fmt: skip


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("mistakes")
    content, out = write_rich_content(folder), folder / "site"
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin the library"]):
        subprocess.run([*GIT, *command], cwd=content, check=True)
    built(content, out, TODAY, site_url=HERE)
    service = a_service(folder, content=content, out=out, write_limits="100000 per minute")
    yield Client(service)
    service.close()


def filled(value: Any, version: str) -> Any:
    """The table's value with the version of the library that is asked."""
    text = json.dumps(value).replace("{version}", version).replace("{VERSION}", version.upper())
    return json.loads(text)


def wrong_with(ask: Client, mistake: Mistake, version: str) -> str | None:
    """In what the answer to a mistake falls short; None where it is taken, or its retry is."""

    def sent(body: Any, **headers: str) -> Any:
        told = {"Content-Type": "application/json", **headers}
        return ask(f"{API}{mistake.path}", "POST", content=json.dumps(filled(body, version)).encode(), headers=told)

    answer = sent(mistake.body, **mistake.headers)
    if not mistake.told:
        read_as = answer.json().get("read_as", {}) if answer.status_code == 201 else None
        return None if read_as == filled(mistake.read_as, version) else f"{mistake.name}: {answer.text}"
    lacking = [words for words in filled(mistake.told, version) if words not in answer.text]
    if answer.status_code == 201 or lacking:
        return f"{mistake.name}: lacks {lacking}: {answer.text}"
    return None if sent(mistake.retry).status_code == 201 else f"{mistake.name}: its retry is refused"


def test_forty_mistakes_of_agents_are_taken_as_meant_or_need_one_retry(ask: Client) -> None:
    version = ask(f"{API}/playbooks/{BOOK}").json()["version"]
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES) == 40
    short = [line for mistake in MISTAKES if (line := wrong_with(ask, mistake, version))]
    assert len(MISTAKES) - len(short) >= AIM, "\n".join(short)
