"""The context of each page: what it may show beside the whole record, as plain values, and how that is picked.

Every context stands above the function that picks it from the facts. They are pure.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from heapq import nlargest
from itertools import groupby
from types import MappingProxyType

import msgspec

from library.content.history import Change
from library.interface import answers
from library.interface.answers import answer_of
from library.records.collection import Library, grouped
from library.records.models import Run
from library.records.trials import SkillScript
from library.records.vocabulary import ANY_AGENT, RunState, Status, Trust
from library.records.who import OTHER
from library.rules.statistics import LEAST, Tally, by_month, comparison_sentence, library_statistics, stale_before
from library.rules.trust import Verdict, runs_on_trial, trust_answer

from ..facts import Facts
from ..settings import PROJECT
from .lists import PER_PAGE, Link, PageOfRows, Row, by_category, first_part, links_to_agents, listings, lists, ordered

LATEST_RUNS = 100
MOST_AT_HOME = 5
LISTED = 200
"""Up to so many playbooks `llms.txt` names each one; a larger library names its categories, each with its own list."""


class PlaybookContext(msgspec.Struct, frozen=True):
    """What a playbook's renditions need beside its own file.

    `offer` says to an agent what it does and when to use it.
    """

    slug: str
    version: str
    offer: str
    task: answers.TaskName
    category: Link
    agents: tuple[Link, ...]
    variants: tuple[Link, ...]
    verdict: Verdict
    trust: answers.TrustAnswer
    runs: answers.RunStatistics
    latest: tuple[answers.RunAnswer, ...]
    related: tuple[Link, ...]
    related_computed: tuple[Link, ...]
    lessons: tuple[Link, ...]
    replaced_by: Link | None
    stale_before: str
    history: tuple[Change, ...] = ()
    months: tuple[Tally, ...] = ()
    reported_by: tuple[Link, ...] = ()
    scripts: tuple[SkillScript, ...] = ()
    proof: answers.ProofAnswer | None = None
    trial_runs: answers.TrialRuns | None = None


def playbook(facts: Facts, slug: str) -> PlaybookContext:
    """What the renditions of one playbook show."""
    library = facts.library
    book = library.playbooks[slug]
    category = library.category_of(book)
    runs = library.approved_runs(slug)
    stale = stale_before(library.today)
    lessons = library.lessons_by_playbook.get(slug, ())
    counted = facts.statistics(slug).versions
    return PlaybookContext(
        slug=slug,
        version=book.version,
        offer=facts.offer(book),
        task=facts.task_name(book),
        category=Link(category, library.categories[category].name),
        agents=links_to_agents(library, book.agents),
        variants=links_to_agents(library, book.variants),
        verdict=facts.verdict(slug),
        trust=trust_answer(library, slug, facts.counted, facts.addresses.api(f"/runs/by-playbook/{slug}")),
        runs=facts.statistics(slug),
        latest=_latest(facts, runs),
        related=_playbooks(library, book.related),
        related_computed=_playbooks(library, facts.near[slug].computed if slug in facts.near else ()),
        lessons=tuple(Link(lesson, library.lessons[lesson].title) for lesson in lessons),
        replaced_by=next(iter(_playbooks(library, filter(None, [book.replaced_by]))), None),
        stale_before=stale if any(day < stale for day in book.references_checked) else "",
        history=facts.changes(book),
        months=by_month(runs),
        reported_by=links_to_agents(library, dict.fromkeys(item.agent for item in counted if item.agent != OTHER)),
        scripts=library.scripts_by_playbook.get(slug, ()),
        proof=facts.proof(slug),
        trial_runs=runs_on_trial(book, library.trials.get(slug)),
    )


def scripts(facts: Facts) -> list[str]:
    """The scripts that are shipped, each as `<playbook>/<name>`: those of playbooks that are offered."""
    offered = {slug for slug, book in facts.library.playbooks.items() if book.status is not Status.WITHDRAWN}
    return sorted(name for name, script in facts.library.scripts.items() if script.playbook in offered)


def _playbooks(library: Library, slugs: Iterable[str]) -> tuple[Link, ...]:
    return tuple(Link(slug, library.playbooks[slug].title) for slug in slugs)


class LessonContext(msgspec.Struct, frozen=True):
    """A lesson with the names of what it names."""

    lesson: answers.LessonAnswer
    playbooks: tuple[Link, ...]
    agents: tuple[Link, ...]


def lesson(facts: Facts, slug: str) -> LessonContext:
    """What a lesson's page shows."""
    answer = facts.lesson(slug)
    library = facts.library
    return LessonContext(answer, _playbooks(library, answer.playbooks), links_to_agents(library, answer.agents))


class Ended(msgspec.Struct, frozen=True):
    """How something ended with an agent: of a job's page `link` is the agent, of an agent's page the job."""

    link: Link
    counts: answers.ComparedAgent


class CompareContext(msgspec.Struct, frozen=True):
    """One job by agents, and the playbooks whose accounts, runs and trials are counted."""

    answer: answers.CompareAnswer
    parent: Link
    books: tuple[Link, ...]
    least: int = LEAST


def compare(facts: Facts, job: str) -> CompareContext:
    """What the comparison of agents at one job shows."""
    task, rows, library = facts.task(job), facts.comparison(job), facts.library
    answer = answers.CompareAnswer(
        job=answers.TaskName(slug=job, name=task.name),
        sentence=comparison_sentence(rows),
        agents=rows,
        url=facts.addresses.page("compare", job),
    )
    books = tuple(Link(book.slug, book.title) for book in library.playbooks_by_task.get(job, ()))
    return CompareContext(answer, Link(task.category, library.categories[task.category].name), books)


def jobs_compared(facts: Facts) -> list[str]:
    """The jobs of which something is on record."""
    return [job for job in sorted(facts.library.tasks) if facts.comparison(job)]


def by_agent(facts: Facts) -> Mapping[str, tuple[Ended, ...]]:
    """For each agent the jobs of which something with it is on record, those of which most is first."""
    jobs = sorted(facts.library.tasks.items())
    rows = [(Link(job, task.name), row) for job, task in jobs for row in facts.comparison(job)]
    found = grouped((row.agent, Ended(link, row)) for link, row in rows)
    return {agent: tuple(sorted(rows, key=lambda row: -row.counts.total)) for agent, rows in found.items()}


class ListContext(msgspec.Struct, frozen=True):
    """A page with rows of playbooks: of everything, a task, a category, an agent or a contributor.

    `part` is its first page, of everything by category; `sizes` are those of the categories.
    """

    rows: Sequence[Row]
    part: PageOfRows | None = None
    sizes: Mapping[Link, int] = MappingProxyType({})
    subject: answers.AgentAnswer | answers.TaskAnswer | answers.CategoryAnswer | str | None = None
    parent: Link | None = None
    tasks: tuple[answers.TaskAnswer, ...] = ()
    lessons: Sequence[answers.LessonAnswer] = ()
    runs: tuple[answers.RunAnswer, ...] = ()
    for_any: Sequence[Row] = ()  # of an agent: the playbooks that name no particular one, and not this one
    ended: Sequence[Ended] = ()  # of a job how it ended with each agent; of an agent how each job did


def _rows(facts: Facts, kind: str, slug: str) -> tuple[Sequence[Row], PageOfRows]:
    rows = facts.table(lists).get((kind, slug), ())
    return rows, first_part(rows, f"{kind}/{slug}")


def task(facts: Facts, slug: str) -> ListContext:
    """What a task's page shows."""
    answer = facts.task(slug)
    parent = Link(answer.category, facts.library.categories[answer.category].name)
    ended = [Ended(Link(row.agent, row.name), row) for row in facts.comparison(slug)]
    return ListContext(*_rows(facts, "tasks", slug), subject=answer, parent=parent, ended=ended)


def category(facts: Facts, slug: str) -> ListContext:
    """What a category's page shows."""
    subject, tasks = facts.category(slug), _tasks_of(facts, slug)
    return ListContext(*_rows(facts, "categories", slug), subject=subject, tasks=tasks)


def _tasks_of(facts: Facts, slug: str) -> tuple[answers.TaskAnswer, ...]:
    return tuple(facts.task(task.slug) for task in facts.library.tasks_by_category.get(slug, ()))


def agent(facts: Facts, slug: str) -> ListContext:
    """What an agent's page shows: the playbooks that name it, and those for any agent that do not."""
    rows, part = _rows(facts, "agents", slug)
    known = {row.slug for row in rows}
    return ListContext(
        rows,
        part,
        subject=facts.agent(slug),
        for_any=[row for row in facts.table(lists).get(("agents", ANY_AGENT), ()) if row.slug not in known][:PER_PAGE],
        ended=facts.table(by_agent).get(slug, ())[:PER_PAGE],
    )


def contributor(facts: Facts, handle: str) -> ListContext:
    """What a contributor's page shows: accepted content and approved runs."""
    lessons = facts.lessons(facts.lessons_by_handle.get(handle, ()))
    runs = _latest(facts, facts.runs_by_handle.get(handle, ()))
    return ListContext(facts.table(lists).get(("contributors", handle), ()), subject=handle, lessons=lessons, runs=runs)


def all_playbooks(facts: Facts) -> ListContext:
    """What the list of all playbooks shows: in the readers' order, and its first page by the name of the category."""
    rows = facts.table(by_category)
    sizes = Counter(row.category for row in rows)
    return ListContext(facts.table(ordered), first_part(rows, "playbooks"), sizes)


class HomeContext(msgspec.Struct, frozen=True):
    """The home page; `failing` are playbooks, `lessons` what went wrong and mends, `wanted` jobs without a playbook."""

    categories: tuple[answers.CategoryAnswer, ...]
    tasks: Mapping[str, tuple[answers.TaskAnswer, ...]]
    agents: tuple[answers.AgentAnswer, ...]
    proven: tuple[Row, ...]
    failing: tuple[Row, ...]
    lessons: tuple[answers.LessonAnswer, ...]
    wanted: tuple[answers.TaskAnswer, ...]
    untested: int
    stats: answers.Stats


def home(facts: Facts) -> HomeContext:
    """What the home page shows: what is proven, what failed lately, what people ask for."""
    active = [row for row in facts.table(ordered) if row.status == Status.ACTIVE]
    failing = [row for row in active if row.newly_failing]
    proven = [row for row in active if (row.proven or Trust(row.trust).reaches(Trust.TESTED)) and row not in failing]
    lessons = facts.library.lessons
    latest = sorted(lessons, key=lambda slug: (-lessons[slug].updated.toordinal(), slug))[:MOST_AT_HOME]
    return HomeContext(
        categories=_categories(facts),
        tasks={slug: _tasks_of(facts, slug) for slug in facts.library.categories},
        agents=agents(facts).items,
        proven=_latest_proof(proven),
        failing=_latest_proof(failing),
        lessons=facts.lessons(latest),
        wanted=wanted(facts).items[:MOST_AT_HOME],
        untested=sum(not row.runs for row in active),
        stats=facts.table(stats),
    )


def _latest_proof(rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(nlargest(MOST_AT_HOME, rows, key=lambda row: (Trust(row.trust).rank, row.last_proof or "")))


def _categories(facts: Facts) -> tuple[answers.CategoryAnswer, ...]:
    return tuple(map(facts.category, facts.library.categories))


def stats(facts: Facts) -> answers.Stats:
    """The counts of the whole library."""
    return library_statistics(facts.library, [Trust(row.trust) for row in facts.table(ordered)])


def agents(facts: Facts) -> answers.AgentList:
    """All agents by slug."""
    items = tuple(map(facts.agent, sorted(facts.library.agents)))
    return answers.AgentList(total=len(items), items=items)


def jobs(facts: Facts) -> answers.TaskList:
    """All jobs by slug, and the categories in their order."""
    items = tuple(map(facts.task, sorted(facts.library.tasks)))
    return answers.TaskList(total=len(items), items=items, categories=_categories(facts))


def wanted(facts: Facts) -> answers.WantedList:
    """The jobs that somebody asked for and no playbook does, those asked for most often first."""
    items = [facts.task(slug) for slug, task in sorted(facts.library.tasks.items()) if task.wanted]
    items.sort(key=lambda task: -(task.requests or 0))
    return answers.WantedList(total=len(items), items=tuple(items))


def categories(facts: Facts) -> answers.CategoryList:
    """All categories in their order."""
    found = _categories(facts)
    return answers.CategoryList(total=len(found), items=found)


def lessons(facts: Facts) -> answers.LessonList:
    """All lessons by slug."""
    return answers.LessonList(total=len(facts.library.lessons), items=facts.lessons(sorted(facts.library.lessons)))


def contributors(facts: Facts) -> tuple[str, ...]:
    """Everyone who contributed, by handle."""
    return facts.library.handles


def all_runs(facts: Facts) -> answers.RunList:
    """The latest approved reports."""
    return _latest_of(facts, "", facts.library.all_approved_runs, facts.library.all_runs)


def runs_of(facts: Facts, slug: str) -> answers.RunList:
    """The latest approved reports of one playbook."""
    return _latest_of(facts, slug, facts.library.approved_runs(slug), facts.library.runs.get(slug, ()))


def _latest_of(facts: Facts, slug: str, approved: Sequence[Run], every: Sequence[Run]) -> answers.RunList:
    record = _month(facts, f"{slug}/{_month_of(every[0])}") if every else None
    return answers.RunList(total=len(approved), items=_latest(facts, approved), next=record)


class PageOfRuns(msgspec.Struct, frozen=True):
    """A part of a month's reports, withdrawn ones too, newest first; `prev` and `next` name the parts beside it."""

    runs: tuple[Run, ...]
    total: int
    prev: str | None
    next: str | None


def run_pages(facts: Facts) -> Mapping[str, PageOfRuns]:
    """The record by months, of the whole library and of each playbook: `<slug>/<year>/<month>`, no slug for all.

    A month of more reports than one page holds has full pages, `<month>-1` the oldest, which later reports leave as
    they are; the month itself is the rest.
    """
    found: dict[str, PageOfRuns] = {}
    for slug, runs in (("", facts.library.all_runs), *facts.library.runs.items()):
        pages = [(f"{slug}/{name}", some, total) for name, some, total in _pages(runs)]
        names = [name for name, _, _ in pages]
        for (name, some, total), prev, following in zip(pages, [None, *names], [*names[1:], None], strict=False):
            found[name] = PageOfRuns(some, total, prev, following)
    return found


def newest_page(facts: Facts) -> tuple[str, str, str]:
    """The playbook, year and month of the latest report; empty where there is none."""
    runs = facts.library.all_runs
    year, month = _month_of(runs[0]).split("/") if runs else ("", "")
    return (runs[0].file.split("/")[1] if runs else "", year, month)


def _pages(runs: Sequence[Run]) -> Iterator[tuple[str, tuple[Run, ...], int]]:
    """Each page of some reports, newest first: its name, its reports, and how many the month has."""
    for month, of_month in groupby(runs, key=_month_of):
        some = tuple(of_month)
        full, first = divmod(len(some) - 1, LATEST_RUNS)
        yield month, some[: first + 1], len(some)
        for number in range(full, 0, -1):
            end = len(some) - (number - 1) * LATEST_RUNS
            yield f"{month}-{number}", some[end - LATEST_RUNS : end], len(some)


def _month_of(run: Run) -> str:
    moment = run.reported.astimezone(UTC)
    return f"{moment.year}/{moment.month:02}"


def _month(facts: Facts, name: str | None) -> str | None:
    """The address of a page of the record."""
    slug, _, month = (name or "").partition("/")
    return facts.addresses.api(f"/runs/by-playbook/{name}" if slug else f"/runs/{month}") if name else None


def page_of_runs(facts: Facts, name: str) -> answers.RunMonth:
    """A page of the record."""
    page = facts.table(run_pages)[name]
    prev, following = (_month(facts, beside) for beside in (page.prev, page.next))
    return answers.RunMonth(
        total=page.total, items=tuple(_report(facts, run) for run in page.runs), prev=prev, next=following
    )


def _report(facts: Facts, run: Run) -> answers.RunAnswer | answers.RunTombstone:
    """A report, or what is left of one that was withdrawn."""
    ours = {"id": run.slug, "links": facts.addresses.of_run(run)}
    gone = run.status is RunState.WITHDRAWN
    return answer_of(answers.RunTombstone, run, **ours) if gone else answer_of(answers.RunAnswer, run, **ours)


def _latest(facts: Facts, approved: Sequence[Run]) -> tuple[answers.RunAnswer, ...]:
    links = facts.addresses.of_run
    return tuple(answer_of(answers.RunAnswer, run, id=run.slug, links=links(run)) for run in approved[:LATEST_RUNS])


class Overview(msgspec.Struct, frozen=True):
    """The library for language models: its categories, and its playbooks by slug, where they are few."""

    categories: tuple[answers.CategoryAnswer, ...]
    rows: Sequence[Row]


def overview(facts: Facts, most: int = LISTED) -> Overview:
    """The library for language models, with its playbooks where they are at most so many."""
    books = [book for book in facts.library.all_books if book.status is not Status.WITHDRAWN]
    few = tuple(facts.table(listings)[book.slug].row for book in books) if len(books) <= most else ()
    return Overview(_categories(facts), few)


def skills(facts: Facts) -> tuple[tuple[bytes, bytes], ...]:
    """Every skill that is offered: its entry in JSON up to the digest, and the SHA-256 of its file as written."""
    entries, written = facts.table(listings), dict(facts.written)
    return tuple([(item.skill, written[slug]) for slug, item in entries.items() if item.skill])


def alias(facts: Facts, slug: str) -> dict[str, Link]:
    """A former slug and where it leads now."""
    book = facts.library.former[slug]
    return {"was": Link(slug, book.title), "to": Link(book.slug, book.title)}


def all_aliases(facts: Facts) -> answers.AliasList:
    """All former slugs at once."""
    former = facts.library.former
    return answers.AliasList(total=len(former), items={slug: book.slug for slug, book in sorted(former.items())})


def names(facts: Facts) -> dict[str, dict[str, str]]:
    """What agents and categories are called, by their slugs, where only slugs are known."""
    agents, categories = sorted(facts.library.agents.items()), facts.library.categories.items()
    return {
        "agent": {slug: agent.name for slug, agent in agents},
        "category": {slug: item.name for slug, item in categories},
    }


_DOCUMENTS = """
interface api search agents contributing content-style trust-and-evidence takedown editors publishing reviewer privacy
theming site
"""
DOCS = {slug: f"docs/{'evidence' if slug == 'trust-and-evidence' else slug}.md" for slug in _DOCUMENTS.split()}
"""The slug of each document, and its file below the project's root."""


class ProjectDocument(msgspec.Struct, frozen=True):
    """One document of the project."""

    slug: str
    title: str
    text: str


def doc(_facts: Facts, slug: str) -> ProjectDocument:
    """One document: its first heading is its title, the rest its text, without pictures, whose matter pages show.

    Links between documents lead to their pages; links to other files of the project become plain words.
    """
    title, _, body = (PROJECT / DOCS[slug]).read_text(encoding="utf-8").partition("\n")
    text = re.sub(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+", "", body, flags=re.MULTILINE)
    pages = {path.rpartition("/")[2]: slug for slug, path in DOCS.items()}

    def link(match: re.Match[str]) -> str:
        words, target, fragment = match[1], match[2].rpartition("/")[2], match[3] or ""
        return f"[{words}](/docs/{pages[target]}/{fragment})" if target in pages else words

    text = re.sub(r"\[([^\]]+)\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)", link, text)
    return ProjectDocument(slug, title.lstrip("# ").strip(), text)


def docs(facts: Facts) -> tuple[ProjectDocument, ...]:
    """All documents, for their index."""
    return tuple(doc(facts, slug) for slug in DOCS)
