"""Jobs by agents: how accounts, runs and trials of a job ended with each agent; a pure function of the library."""

import re
from collections.abc import Iterator, Mapping, Sequence

from ..interface import answers
from ..records.collection import Library, PlaybookEntry, grouped
from ..records.vocabulary import ANY_AGENT, Account, Arm, Outcome, Status
from ..records.who import OTHER, called, words

LEAST = 3
"""Of fewer than so many of one agent nothing is said."""
SEVERAL = "several"
"""Stands for the agents of an account that is about more than one: nobody knows which of them it speaks for."""
RUNS, TRIALS = "runs", "trials"
SOURCES = (RUNS, TRIALS, *Account)
"""Where the counts come from, each counted apart; an account of which nobody says who tells it is a third party's."""

_BRACKETS = re.compile(r"[(\[].*?(?:[)\]]|$)")
_LIST = re.compile(r"[,;/&+]|\b(?:and|or|then)\b", re.IGNORECASE)
_MOST_WORDS = 5

CountedEnd = tuple[str, Outcome, answers.ComparedAccount | None]
"""One thing that is counted: its source, how it ended, and of an account which it is."""


def meant(told: str, known: Mapping[str, str]) -> str:
    """The slug of the one agent that an account is about, in its own words; `SEVERAL` or `OTHER` where there is none.

    What stands in brackets or after "with" is how it was used. A list that names a known agent is about several.
    """
    text = _BRACKETS.sub(" ", told)
    listed = _LIST.search(text) is not None
    spoken = words(text if listed else text.partition(" with ")[0])
    parts = ("".join(spoken[at:end]) for at in range(len(spoken)) for end in range(at + 1, at + _MOST_WORDS + 1))
    found = {known[part] for part in parts if part in known} - {ANY_AGENT}
    if len(found) > 1 or (found and listed):
        return SEVERAL
    return found.pop() if found else OTHER


def _of_book(library: Library, book: PlaybookEntry) -> Iterator[tuple[str, CountedEnd]]:
    known = library.agents_by_name
    for account in book.evidence:
        if account.outcome:
            source = account.account or Account.THIRD_PARTY
            shown = answers.ComparedAccount(
                playbook=book.slug, title=account.title, url=account.url, outcome=account.outcome, account=source
            )
            yield meant(account.agent, known), (source, account.outcome, shown)
    for test in book.tested:
        if test.arm is not Arm.BARE:
            yield called(test.agent, known) or OTHER, (TRIALS, test.outcome, None)
    for run in library.approved_runs(book.slug):
        yield called(run.agent, known) or OTHER, (RUNS, run.outcome, None)


def compared(library: Library, job: str) -> tuple[answers.ComparedAgent, ...]:
    """How one job ended with each agent, those with most counts first; what is about no one agent comes last."""
    books = [book for book in library.playbooks_by_task.get(job, ()) if book.status is not Status.WITHDRAWN]
    by_agent = grouped(told for book in books for told in _of_book(library, book))
    rows = (_row(library, agent, told) for agent, told in by_agent.items())
    return tuple(sorted(rows, key=lambda row: (row.agent in (SEVERAL, OTHER), -row.total, row.name.casefold())))


def _row(library: Library, agent: str, told: Sequence[CountedEnd]) -> answers.ComparedAgent:
    names = {SEVERAL: "Several agents at once", OTHER: "Another agent, or none named"}
    return answers.ComparedAgent(
        agent=agent,
        name=names.get(agent) or library.agents[agent].name,
        enough=len(told) >= LEAST,
        **ends(outcome for _, outcome, _ in told),
        by={source: answers.Ends(**ends(end for at, end, _ in told if at == source)) for source in SOURCES},
        accounts=tuple(account for _, _, account in told if account),
    )


def ends(outcomes: Iterator[Outcome]) -> dict[str, int]:
    """How many worked, worked with changes and failed, as every answer that counts them names it."""
    found = list(outcomes)
    counts = {"worked": Outcome.WORKED, "with_changes": Outcome.WORKED_WITH_CHANGES, "failed": Outcome.FAILED}
    return {name: found.count(outcome) for name, outcome in counts.items()}


def sentence(rows: tuple[answers.ComparedAgent, ...]) -> str:
    """What may be quoted of a comparison: counts of what is on record, no measure of the agents."""
    named = [row for row in rows if row.agent not in (SEVERAL, OTHER)]
    said = [f"{row.name} {_said(row)}" for row in named if row.enough]
    if not said:
        whole = sum(row.total for row in rows)
        return f"Too few to say: no agent that is named has {LEAST} of the {whole} accounts, runs and trials on record."
    rest = f" Fewer than {LEAST} of any other agent." if len(said) < len(named) else ""
    return f"On record of this job: {'; '.join(said)}.{rest}"


def _said(row: answers.ComparedAgent) -> str:
    changes = f", {row.with_changes} of them with changes" if row.with_changes else ""
    return f"worked in {row.worked + row.with_changes} of {row.total}{changes}"
