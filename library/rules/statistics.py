"""Statistics: counts of runs, of jobs by agents and of the whole library, and their lines for a terminal. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from ..interface import answers
from ..problems import printable
from ..records.collection import Library, PlaybookEntry, grouped
from ..records.models import Run
from ..records.vocabulary import ANY_AGENT, Account, Arm, Outcome, RunState, Status, Trust
from ..records.who import OTHER, called, words
from .trust import corroborates, counted_runs, is_proven, proof_of, verdict_of

MOST_VERSIONS = 50  # so many rows the statistics of a playbook have for its versions, agents and models
STALE_DAYS = 180  # a reference that was not read for longer than this is stale
LEAST = 3  # of fewer than so many of one agent nothing is said
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


def stale_before(today: date) -> str:
    """The day, as YYYY-MM-DD, before which a reference's last reading is too long ago."""
    return date.fromordinal(today.toordinal() - STALE_DAYS).isoformat()


def reporters(runs: Iterable[Run]) -> int:
    """Different contributors with a key; all reports without one together count one."""
    return len({run.reporter if run.verified else None for run in runs})


def ends(outcomes: Iterator[Outcome]) -> dict[str, int]:
    """How many worked, worked with changes and failed, as every answer that counts them names it."""
    found = list(outcomes)
    counts = {"worked": Outcome.WORKED, "with_changes": Outcome.WORKED_WITH_CHANGES, "failed": Outcome.FAILED}
    return {name: found.count(outcome) for name, outcome in counts.items()}


def ended(runs: Sequence[Run]) -> dict[str, Any]:
    """How approved runs ended, as all answers that count them say it."""
    return {"approved": len(runs), **ends(run.outcome for run in runs)}


def run_statistics(library: Library, slug: str) -> answers.RunStatistics:
    """The statistics of one playbook's reports, in whatever order and state they are."""
    runs = library.runs.get(slug, ())
    approved = library.approved_runs(slug)
    versions = _by_version(library, approved)
    return answers.RunStatistics(
        **ended(approved),
        pending=library.pending.get(slug, 0),
        reporters=reporters(approved),
        last_report=max((run.reported for run in approved), default=None),
        versions=versions[:MOST_VERSIONS],
        withdrawn_count=sum(run.status is RunState.WITHDRAWN for run in runs),
        more=max(len(versions) - MOST_VERSIONS, 0),
    )


def _by_version(library: Library, runs: Iterable[Run]) -> list[answers.VersionStatistics]:
    """The approved runs by agent, model and version of the playbook, those with the newest report first."""

    def ran(run: Run) -> tuple[str, str, str | None]:
        agent = called(run.agent, library.agents_by_name) or OTHER
        model = called(run.model, library.models_by_name, model=True) or OTHER if run.model else None
        return run.playbook_version, agent, model

    rows = [
        answers.VersionStatistics(
            playbook_version=version,
            agent=agent,
            model=model,
            **ended(group),
            last_report=max(run.reported for run in group),
        )
        for (version, agent, model), group in grouped((ran(run), run) for run in runs).items()
    ]
    return sorted(rows, key=lambda it: (-it.last_report.timestamp(), it.playbook_version, it.agent, it.model or ""))


class Tally(answers.Ends):
    """How the approved runs of one month, or of one agent's version, ended. `name` is YYYY-MM, or the agent."""

    name: str
    version: str = ""


def _tally(name: str, runs: Iterable[Run], version: str = "") -> Tally:
    return Tally(name=name, version=version, **ends(run.outcome for run in runs))


def by_month(runs: Iterable[Run]) -> tuple[Tally, ...]:
    """The approved runs by the month they were reported in, oldest first; months between that had none are there."""
    found = grouped(((run.reported.year, run.reported.month), run) for run in runs)
    if not found:
        return ()
    first, last = (year * 12 + month - 1 for year, month in (min(found), max(found)))
    months = [(count // 12, count % 12 + 1) for count in range(first, last + 1)]
    return tuple(_tally(f"{year}-{month:02}", found.get((year, month), ())) for year, month in months)


def by_agent(library: Library) -> tuple[Tally, ...]:
    """The approved runs by agent and version, most runs first; those of agents that nobody knows are together."""

    def ran(run: Run) -> tuple[str, str]:
        slug = called(run.agent, library.agents_by_name)
        return (library.agents[slug].name, run.agent_version or "") if slug else (OTHER, "")

    found = grouped((ran(run), run) for run in library.all_approved_runs)
    tallies = (_tally(agent, group, version) for (agent, version), group in found.items())
    return tuple(sorted(tallies, key=lambda tally: (-tally.total, tally.name.casefold(), tally.name, tally.version)))


def breadth(library: Library) -> Iterator[answers.CategoryBreadth]:
    """What each category holds, in the order of the categories."""
    for slug, category in library.categories.items():
        books = library.playbooks_by_category.get(slug, ())
        yield answers.CategoryBreadth(
            slug=slug,
            name=category.name,
            playbook_count=len(books),
            task_count=len(library.tasks_by_category.get(slug, ())),
            proven_count=sum(is_proven(proof_of(library, book.slug)) for book in books),
            evidence_count=sum(len(book.evidence) for book in books),
            usage=category.usage,
        )


def library_statistics(library: Library, trusts: Iterable[Trust]) -> answers.Stats:
    """The counts of the whole library; `trusts` are the levels of its playbooks, in any order."""
    levels, runs, having = Counter(trusts), library.all_approved_runs, library.playbooks_by_agent
    proofs = [proof for book in library.all_books if (proof := proof_of(library, book.slug)) and is_proven(proof)]
    return answers.Stats(
        playbook_count=len(library.playbooks),
        lesson_count=len(library.lessons),
        agent_count=len(library.agents),
        task_count=len(library.tasks),
        evidence_count=sum(len(book.evidence) for book in library.all_books),
        runs=answers.RunCounts(**ended(runs), pending=sum(library.pending.get(slug, 0) for slug in library.playbooks)),
        reporters=reporters(runs),
        by_trust={level: levels[level] for level in Trust},
        proven_count=len(proofs),
        cheat_count=sum(proof.cheat_count for proof in proofs),
        caught_count=sum(proof.caught_count for proof in proofs),
        trial_run_count=sum(test.arm is not None for book in library.all_books for test in book.tested),
        by_category=tuple(breadth(library)),
        by_agent=tuple(
            answers.CategoryCount(slug=slug, name=agent.name, playbook_count=len(having.get(slug, ())))
            for slug, agent in sorted(library.agents.items())
        ),
    )


def summary_lines(library: Library) -> Iterator[str]:
    """What there is, how far it is trusted, how its evidence ended."""
    counted = counted_runs(run for runs in library.runs.values() for run in runs)
    stats = library_statistics(library, (verdict_of(library, book.slug, counted).level for book in library.all_books))
    outcomes = Counter(account.outcome for book in library.all_books for account in book.evidence)
    evidence = ", ".join(f"{outcomes[outcome]} {outcome.replace('_', ' ')}" for outcome in Outcome)
    rows = {
        **{f"{name}s": getattr(stats, f"{name}_count") for name in ("playbook", "lesson", "agent", "task")},
        "evidence": f"{stats.evidence_count} ({evidence})",
        "runs": f"{stats.runs.approved} approved, {stats.runs.failed} of them failed",
        "trust": ", ".join(f"{count} {level}" for level, count in stats.by_trust.items()),
        "proofs": f"{stats.proven_count} playbooks, {stats.caught_count} of {stats.cheat_count} shortcuts caught",
        "categories": ", ".join(f"{count.slug} {count.playbook_count}" for count in stats.by_category),
    }
    for name, value in rows.items():
        yield f"{name:<11} {value}"


def gap_lines(library: Library) -> Iterator[str]:
    """Each kind of gap with its records, for a terminal; a kind without any says so."""
    active = [book for book in library.all_books if book.status is Status.ACTIVE]
    by_task = {slug: sum(len(book.evidence) for book in books) for slug, books in library.playbooks_by_task.items()}
    runs, limit = library.all_approved_runs, stale_before(library.today)
    old = {book.slug: sorted(day for day in book.references_checked if day < limit) for book in active}
    untried = [book for book in active if not library.has("trials", book.slug)]
    kinds = (
        ("jobs with one account only", [f"{slug}: {count}" for slug, count in sorted(by_task.items()) if count <= 1]),
        ("playbooks with one account only", [book.slug for book in active if len(book.evidence) == 1]),
        (
            "playbooks without an account that can corroborate",
            [book.slug for book in active if not any(map(corroborates, book.evidence))],
        ),
        ("jobs that are wanted", sorted(slug for slug, task in library.tasks.items() if task.wanted)),
        ("agents without a playbook", sorted(library.agents.keys() - library.playbooks_by_agent.keys())),
        ("playbooks without a reference", [book.slug for book in active if not book.references_checked]),
        ("playbooks without a lesson", [book.slug for book in active if book.slug not in library.lessons_by_playbook]),
        ("stale references", [f"{slug}: {len(days)}, oldest {days[0]}" for slug, days in old.items() if days]),
        ("playbooks without a run", [book.slug for book in active if not library.approved_runs(book.slug)]),
        ("playbooks without a trial", [f"{book.slug}: {book.no_trial or 'no trial yet'}" for book in untried]),
        ("names of agents that are no alias", _strangers(library.agents_by_name, (run.agent for run in runs))),
        (
            "names of models that are no alias",
            _strangers(library.models_by_name, (run.model for run in runs if run.model), model=True),
        ),
    )
    for name, found in kinds:
        yield f"{name}: {len(found)}"
        yield from (f"  {item}" for item in found)


def _strangers(known: Mapping[str, str], names: Iterable[str], *, model: bool = False) -> list[str]:
    """Names that nothing known is called by, with how many reports give each, the most first."""
    counted = Counter(name for name in names if not called(name, known, model=model))
    return [f"{printable(name)}: {count}" for name, count in counted.most_common()]


def breadth_lines(library: Library) -> Iterator[str]:
    """Each category with what it holds, and how much people use AI for it where a study says so."""
    yield "breadth by category"
    for item in breadth(library):
        elsewhere = f"; {item.usage.percent}% of {item.usage.of}" if item.usage else "; no study's figure"
        counts = f"jobs {item.task_count}, playbooks {item.playbook_count}, proven {item.proven_count}"
        yield f"  {item.slug}: {counts}{elsewhere}"


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


def _ends_of(library: Library, book: PlaybookEntry) -> Iterator[tuple[str, CountedEnd]]:
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
    by_agent = grouped(told for book in books for told in _ends_of(library, book))
    rows = (_compared(library, agent, told) for agent, told in by_agent.items())
    return tuple(sorted(rows, key=lambda row: (row.agent in (SEVERAL, OTHER), -row.total, row.name.casefold())))


def _compared(library: Library, agent: str, told: Sequence[CountedEnd]) -> answers.ComparedAgent:
    names = {SEVERAL: "Several agents at once", OTHER: "Another agent, or none named"}
    return answers.ComparedAgent(
        agent=agent,
        name=names.get(agent) or library.agents[agent].name,
        enough=len(told) >= LEAST,
        **ends(outcome for _, outcome, _ in told),
        by_source={source: answers.Ends(**ends(end for at, end, _ in told if at == source)) for source in SOURCES},
        accounts=tuple(account for _, _, account in told if account),
    )


def comparison_sentence(rows: tuple[answers.ComparedAgent, ...]) -> str:
    """What may be quoted of a comparison: counts of what is on record, no measure of the agents."""
    named = [row for row in rows if row.agent not in (SEVERAL, OTHER)]
    said = [f"{row.name} {_said(row)}" for row in named if row.enough]
    if not said:
        whole = sum(row.total for row in rows)
        return f"Too few to say: no named agent has {LEAST} accounts, runs or trials here; all together have {whole}."
    rest = f" Fewer than {LEAST} of any other agent." if len(said) < len(named) else ""
    return f"On record of this job: {'; '.join(said)}.{rest}"


def _said(row: answers.ComparedAgent) -> str:
    changes = f", {row.with_changes} of them with changes" if row.with_changes else ""
    return f"worked in {row.worked + row.with_changes} of {row.total}{changes}"
