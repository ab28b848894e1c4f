"""Jobs by agents: an account counts for the one agent that it is about, and under three nothing is said."""

from __future__ import annotations

import msgspec
import pytest

from library.records.vocabulary import Account, Arm, Outcome, Status
from library.records.who import OTHER
from library.rules.statistics import SEVERAL, compared, comparison_sentence, meant
from tests.builders import BOOK, a_library, a_run, a_test, a_trial_run, an_account, an_agent, an_entry

CODEX = an_agent("openai-codex", name="OpenAI Codex", aliases=("Codex",))
AGENTS = (an_agent(), CODEX, an_agent("cursor", name="Cursor"))


@pytest.mark.parametrize(
    ("told", "agent"),
    [
        ("Claude Code", "claude-code"),
        ("claude-code (v2)", "claude-code"),
        ("Claude Code agents under the project's own orchestrator", "claude-code"),
        ("Claude Code with Spec Kit", "claude-code"),
        ("Codex", "openai-codex"),
        ("own agent with a Codex review loop", OTHER),
        ("AI support agent (Cursor help desk)", OTHER),
        ("Claude Code and OpenAI Codex", SEVERAL),
        ("Claude Code, with three other assistants", SEVERAL),
        ("Claude, reviewed by others", OTHER),
        ("unnamed coding agent", OTHER),
        ("", OTHER),
    ],
)
def test_an_account_is_about_the_one_agent_that_its_words_name(told: str, agent: str) -> None:
    assert meant(told, a_library(agents=AGENTS).agents_by_name) == agent


def test_counts_stand_apart_by_where_they_come_from_and_a_bare_run_is_none() -> None:
    accounts = (
        an_account(1, agent="Claude Code"),
        an_account(2, agent="Claude Code", account=Account.VENDOR, outcome=Outcome.WORKED_WITH_CHANGES),
        an_account(3, agent="Claude Code", account=None, outcome=Outcome.FAILED),
        an_account(4, agent="Claude Code", outcome=None),
        an_account(5, agent="somebody's own", title="A day", url="https://example.com/day"),
    )
    tried = (a_test(), msgspec.structs.replace(a_test(), arm=Arm.BARE), a_trial_run())
    book = an_entry(evidence=accounts, tested=tried)
    rows = compared(a_library([book], agents=AGENTS, runs=[a_run(agent="Claude Code 2.1", outcome="failed")]), BOOK)
    assert [(row.agent, row.total, row.enough) for row in rows] == [("claude-code", 5, True), (OTHER, 2, False)]
    ends = {source: (told.worked, told.with_changes, told.failed) for source, told in rows[0].by_source.items()}
    assert ends == {
        "runs": (0, 0, 1),
        "trials": (1, 0, 0),
        "first-hand": (1, 0, 0),
        "vendor": (0, 1, 0),
        "third-party": (0, 0, 1),
    }
    assert [account.url for account in rows[1].accounts] == ["https://example.com/day"]
    assert comparison_sentence(rows) == "On record of this job: Claude Code worked in 3 of 5, 1 of them with changes."
    assert comparison_sentence(rows[1:]).startswith("Too few to say: no named agent has 3 accounts")


def test_those_with_most_come_first_and_what_is_about_none_comes_last() -> None:
    told = ["Cursor", "Codex", "Codex", "nobody", "nobody", "nobody", "Codex and Cursor"]
    book = an_entry(evidence=tuple(an_account(number, agent=agent) for number, agent in enumerate(told)))
    withdrawn = an_entry("older", status=Status.WITHDRAWN, evidence=(an_account(9, agent="Cursor"),))
    rows = compared(a_library([book, withdrawn], agents=AGENTS), BOOK)
    assert [(row.agent, row.total) for row in rows] == [
        ("openai-codex", 2),
        ("cursor", 1),
        (OTHER, 3),
        (SEVERAL, 1),
    ]
    assert compared(a_library([], agents=AGENTS), BOOK) == ()
