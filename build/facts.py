"""What the build knows beyond the records: verdicts, statistics, neighbours and addresses.

Each is worked out once, when asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, TypeVar, cast
from zlib import decompress

import msgspec

from library.content.history import NO_HISTORY, Change, History
from library.interface import answers
from library.interface.answers import answer_of
from library.records.collection import Library, PlaybookEntry, grouped, without
from library.records.models import Playbook, Run, Site
from library.records.vocabulary import Status
from library.records.who import OTHER, called
from library.rules import trust
from library.rules.related import Near, related
from library.rules.statistics import compared, run_statistics
from library.rules.trust import Verdict


@dataclass
class Addresses:
    """Where everything is, from the site's own address; `reports` and `submissions` is where those are sent."""

    site: Site

    def __post_init__(self) -> None:
        """Work out what all others begin with."""
        self.site_url = self.site.site_url.rstrip("/")
        live = (self.site.api_url or self.site.base_url).rstrip("/")  # which may be another place
        self.reports, self.submissions = f"{live}/runs", f"{live}/submissions"

    def page(self, kind: str, slug: str) -> str:
        """The public page of a record; `kind` is the folder in the address, such as `playbooks`."""
        return f"{self.site_url}/{kind}/{slug}/"

    def markdown(self, kind: str, slug: str) -> str:
        """The markdown twin of a record's page."""
        return f"{self.site_url}/{kind}/{slug}.md"

    def links(self, kind: str, slug: str) -> answers.Links:
        """A record in each of its forms."""
        return answers.links_of(self.site_url, kind, slug)

    def of_run(self, run: Run) -> answers.RunLinks:
        """Where an approved report, or one that was withdrawn, leads."""
        book = run.playbook
        return answers.RunLinks(
            self_=self.api(f"/runs/{run.slug}"),
            page=f"{self.page('playbooks', book)}#runs",
            playbook=self.api(f"/playbooks/{book}"),
        )

    def playbooks_by(self, kind: str, slug: str, number: int = 1) -> str:
        """A part of the list of the playbooks of an agent, a category, a task or a trust level."""
        part = f"/part-{number}" if number > 1 else ""
        return f"{self.site.base_url}/playbooks/{answers.LISTS_BY[kind]}/{slug}{part}"

    def api(self, path: str) -> str:
        """A static answer of the interface."""
        return f"{self.site.base_url}{path}"


T = TypeVar("T")
MOST_OFFERED = 1024  # the longest description that the Agent Skills rules allow, in characters
_IN_LISTS = ("slug", "title", "summary", "essence", "agents", "difficulty", "risk", "status", "tags", "updated")
"""What lists show of a playbook as its file has it."""


def once_a_slug(make: Callable[[Facts, str], T]) -> Callable[[Facts, str], T]:
    """A method whose answer for a slug is worked out once."""
    return wraps(make)(lambda facts, slug: facts.once(make, slug))


@dataclass(eq=False)
class Facts:
    """A library, and what follows from it; `books` are the whole playbooks as JSON, compressed.

    `near_before` are the neighbours that were found before, `changed` the slugs of the playbooks that are others since.
    `written` is the digest of each playbook's instruction file; there is none before single records are written.
    `tables` are what was worked out of the whole library, by the functions that made them.
    """

    library: Library
    books: Mapping[str, bytes] = field(default_factory=dict)
    history: History = NO_HISTORY
    near_before: Mapping[str, Near] = field(default_factory=dict)
    changed: Collection[str] = ()
    written: Mapping[str, bytes] = field(default_factory=dict)
    tables: dict[Callable[[Facts], Any], Any] = field(default_factory=dict)
    _made: dict[tuple[str, str], Any] = field(default_factory=dict)

    @cached_property
    def addresses(self) -> Addresses:
        """Where everything is."""
        return Addresses(self.library.site)

    def once(self, make: Callable[[Facts, str], T], slug: str) -> T:
        """What is worked out once for each slug."""
        at = make.__name__, slug
        if at not in self._made:
            self._made[at] = make(self, slug)
        return cast("T", self._made[at])

    def table(self, make: Callable[[Facts], T]) -> T:
        """What is worked out once of the whole library."""
        if make not in self.tables:
            self.tables[make] = make(self)
        return cast("T", self.tables[make])

    def prepare(self) -> None:
        """Work out what takes the whole library, before several processes would each do it."""
        _ = self.history.files, self.near, self.counted, self._handles, self.library.lessons_by_playbook

    def book(self, slug: str) -> Playbook:
        """One whole playbook."""
        book = Playbook.model_validate_json(decompress(self.books[slug])).filed(f"playbooks/{slug}.yaml")
        return without(book, self.library.drafts)

    @cached_property
    def counted(self) -> frozenset[str]:
        """The ids of run reports by counted contributors."""
        return trust.counted_runs(run for runs in self.library.runs.values() for run in runs)

    @once_a_slug
    def verdict(self, slug: str) -> Verdict:
        """The verdict on one playbook."""
        return trust.verdict_of(self.library, slug, self.counted)

    @once_a_slug
    def proof(self, slug: str) -> answers.ProofAnswer | None:
        """What was proven of one playbook's checks."""
        return trust.proof_of(self.library, slug)

    @once_a_slug
    def statistics(self, slug: str) -> answers.RunStatistics:
        """The run statistics of one playbook."""
        return run_statistics(self.library, slug)

    @once_a_slug
    def comparison(self, job: str) -> tuple[answers.ComparedAgent, ...]:
        """How one job ended with each agent; nothing where nothing is on record."""
        return compared(self.library, job)

    @cached_property
    def near(self) -> Mapping[str, Near]:
        """The computed neighbours of each playbook, and what they were found by."""
        return related(self.library.all_books, self.near_before, self.changed)

    @cached_property
    def naming(self) -> Mapping[str, Collection[str]]:
        """The playbooks whose failures name each lesson."""
        return grouped((slug, book.slug) for book in self.library.all_books for slug in book.failure_lessons if slug)

    @cached_property
    def lessons_by_handle(self) -> Mapping[str, Sequence[str]]:
        """The lessons that each contributor wrote in, by slug."""
        lessons = sorted(self.library.lessons.items())
        return grouped((handle, slug) for slug, one in lessons for handle in {item.handle for item in one.contributors})

    @cached_property
    def runs_by_handle(self) -> Mapping[str, Sequence[Run]]:
        """The approved reports that each contributor sent with a key, newest first."""
        runs = self.library.all_approved_runs
        return grouped((run.reporter, run) for run in runs if run.verified and run.reporter)

    @cached_property
    def runs_by_agent(self) -> Mapping[str, int]:
        """How many approved reports name each agent, by its slug."""
        known = self.library.agents_by_name
        return Counter(called(run.agent, known) or OTHER for run in self.library.all_approved_runs)

    @cached_property
    def _handles(self) -> frozenset[str]:
        return frozenset(self.library.handles)

    def changes(self, book: PlaybookEntry) -> tuple[Change, ...]:
        """The changes of a playbook. Authors are named by the handles that they chose, and not otherwise."""
        return tuple(self.named_change(change) for change in self.history.of(book.slug, book.aliases))

    def named_change(self, change: Change) -> Change:
        """A change whose author is named only where the name is a contributor's handle."""
        return change if change.by in self._handles else msgspec.structs.replace(change, by="")

    def task_name(self, book: PlaybookEntry) -> answers.TaskName:
        """The task of a playbook, named."""
        return answers.TaskName(slug=book.task, name=self.library.tasks[book.task].name)

    def offer(self, book: PlaybookEntry) -> str:
        """What a playbook does and when to use it, as skills describe themselves: one line of 1 to 1024 characters.

        It holds nothing that looks like the fence of a YAML head.
        """
        text = f"{book.summary} For the job: {self.library.tasks[book.task].name}."
        if book.asked:
            text += f" Use it when asked for: {'; '.join(book.asked)}."
        if book.status is not Status.ACTIVE:
            text = f"{book.status.capitalize()}, do not use it: {book.status_reason}"
        text = " ".join(text.split()).replace("---", "—")
        return text if len(text) <= MOST_OFFERED else text[: MOST_OFFERED - 1].rsplit(" ", 1)[0] + "…"

    def summary(self, book: PlaybookEntry) -> answers.PlaybookSummary:
        """One playbook as lists show it."""
        links = self.addresses.links("playbooks", book.slug)
        return answers.PlaybookSummary(
            **{name: getattr(book, name) for name in _IN_LISTS},
            task=self.task_name(book),
            category=self.library.category_of(book),
            trust=self.verdict(book.slug).level,
            runs=answer_of(answers.RunCounts, self.statistics(book.slug)),
            proven=trust.is_proven(self.proof(book.slug)) or None,
            url=links.page,
            markdown_url=links.markdown,
            links=links,
        )

    def lessons(self, slugs: Sequence[str]) -> tuple[answers.LessonAnswer, ...]:
        """Some lessons, for lists of them."""
        return tuple(map(self.lesson, slugs))

    @once_a_slug
    def lesson(self, slug: str) -> answers.LessonAnswer:
        """One lesson; its playbooks are those that it names and those whose failures name it."""
        lesson, links = self.library.lessons[slug], self.addresses.links("lessons", slug)
        return answer_of(
            answers.LessonAnswer,
            lesson,
            slug=slug,
            playbooks=tuple(sorted({*lesson.playbooks, *self.naming.get(slug, ())})),
            url=links.page,
            markdown_url=links.markdown,
            links=links,
        )

    @once_a_slug
    def agent(self, slug: str) -> answers.AgentAnswer:
        """One agent."""
        agent = self.library.agents[slug]
        return answer_of(
            answers.AgentAnswer,
            agent,
            slug=slug,
            homepage=agent.url,
            url=self.addresses.page("agents", slug),
            links=self.addresses.links("agents", slug),
            playbooks=tuple(book.slug for book in self.library.playbooks_by_agent.get(slug, ())),
            run_count=self.runs_by_agent.get(slug, 0),
        )

    def task(self, slug: str) -> answers.TaskAnswer:
        """One job."""
        task, books = self.library.tasks[slug], self.library.playbooks_by_task.get(slug, ())
        return answer_of(
            answers.TaskAnswer,
            task,
            slug=slug,
            playbook_count=len(books),
            playbook=books[0].slug if len(books) == 1 else None,
            wanted=True if task.wanted else None,
            requests=task.requests or None,
            url=self.addresses.page("tasks", slug),
            links=self.addresses.links("tasks", slug),
        )

    def category(self, slug: str) -> answers.CategoryAnswer:
        """One grouping of jobs."""
        return answer_of(
            answers.CategoryAnswer,
            self.library.categories[slug],
            task_count=len(self.library.tasks_by_category.get(slug, ())),
            playbook_count=len(self.library.playbooks_by_category.get(slug, ())),
            url=self.addresses.page("categories", slug),
            links=self.addresses.links("categories", slug),
        )
