"""The pages for people: a context, through a template, to HTML bytes. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import orjson
from markupsafe import Markup
from msgspec.structs import asdict, replace

from library.interface.answers import MEANINGS, RUN_MEANINGS, PlaybookAnswer, SubmissionStatus
from library.interface.errors import KINDS
from library.interface.reasons import REASONS
from library.records.models import Playbook, PromptInput, Tested
from library.records.vocabulary import Decision, NeedKind, Status
from library.rules import trust
from library.rules.checks import merge_rule_book, rule_book
from library.search.answers import SearchAnswer
from library.search.words import QUERY_STOP_WORDS

from . import api, lists, structured
from .changes import DescribedChange, described
from .figures import FILES, StatisticsContext
from .page_contexts import AllPlaybooks, HomeContext, LessonContext, ListContext, Names, PlaybookContext
from .project_docs import ProjectDocument
from .rendering import RenderEnvironment

_FILTERS = ("type", "category", "agent", "min_trust", "proven")
_NO_FILTERS: Mapping[str, str] = MappingProxyType({})
_HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>')
_BEFORE_STEP = re.compile(r"^Before step (\d+)\s*[:,]?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class PlaybookPage:
    """A whole playbook, ready for every rendition of it; `made` keeps what several of them share."""

    answer: PlaybookAnswer
    context: PlaybookContext
    asked: tuple[str, ...] = ()
    changes: tuple[DescribedChange, ...] = ()
    made: dict[str, bytes] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def changed(self) -> bool:
        """Whether there are differences to show: not of a withdrawn one, where what was taken away stays away."""
        gone = self.answer.status is Status.WITHDRAWN
        return not gone and any(item.differences or item.unreadable for item in self.changes)

    @cached_property
    def stops(self) -> dict[int, list[str]]:
        """The human checkpoints by the number of the step that they stand before."""
        found: dict[int, list[str]] = defaultdict(list)
        for text in self.answer.human_checkpoints:
            if match := _BEFORE_STEP.match(text):
                rest = text[match.end() :]
                found[int(match[1])].append(rest[:1].upper() + rest[1:])
        return dict(found)

    @cached_property
    def inputs(self) -> dict[str, PromptInput]:
        """What stands for each variable of the prompts, by name."""
        return {item.name: item for item in self.answer.inputs}

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of the playbook's agents by their slugs."""
        return {link.slug: link.title for link in self.context.agents}

    @cached_property
    def lessons(self) -> dict[str, str]:
        """The titles of the playbook's lessons by their slugs."""
        return {link.slug: link.title for link in self.context.lessons}

    @cached_property
    def tests(self) -> list[Tested]:
        """The tests by editors alone."""
        return [test for test in self.answer.tested if test.arm is None]

    @cached_property
    def runs_on_trial(self) -> list[Tested]:
        """The runs on the trial, of the present version first."""
        runs = [test for test in self.answer.tested if test.arm]
        return sorted(runs, key=lambda test: test.version != self.answer.version)

    @cached_property
    def scripts(self) -> dict[str, str]:
        """The texts of the scripts that travel with the skill, by the paths that steps name them by."""
        return {script.path: script.text for script in self.context.scripts}

    @cached_property
    def needs(self) -> dict[str, list[object]]:
        """The needs by kind, in the order of the kinds."""
        kinds = {kind: [need for need in self.answer.needs if need.kind is kind] for kind in NeedKind}
        return {kind: list(needs) for kind, needs in kinds.items() if needs}


def playbook_page(env: RenderEnvironment, context: PlaybookContext, book: Playbook) -> PlaybookPage:
    """A playbook as its renditions take it; of a withdrawn one what changed is not told."""
    changes = described(context.history, None if book.status is Status.WITHDRAWN else env.texts)
    return PlaybookPage(api.playbook_answer(book, context, env.addresses, changes), context, book.asked, changes)


@dataclass(frozen=True, slots=True)
class RunStanding:
    """Where a run report stands, for whoever knows its id: never what it says, never who sent it."""

    id: str
    playbook: str
    playbook_version: str
    state: str
    received: str
    updated: str


def home(env: RenderEnvironment, context: HomeContext) -> bytes:
    """The home page."""
    return env.page("home.html", context=context, data=structured.home(env))


def stats(env: RenderEnvironment, context: StatisticsContext) -> bytes:
    """The statistics."""
    about = {name: words for name, (words, _) in FILES.items()}
    return env.page("stats.html", context=context, data=structured.statistics(env, about))


def playbook(env: RenderEnvironment, page: PlaybookPage) -> bytes:
    """The page of one playbook, or its tombstone."""
    data = structured.playbook(env, page.answer, page.context)
    return env.page("playbook.html", page=page, book=page.answer, context=page.context, data=data)


def changes(env: RenderEnvironment, page: PlaybookPage) -> bytes | None:
    """What each change of a playbook changed; None where it has not changed since it was added."""
    if not page.changed:
        return None
    return env.page("changes.html", page=page, book=page.answer, context=page.context)


def lesson(env: RenderEnvironment, context: LessonContext) -> bytes:
    """The page of one lesson."""
    return env.page("lesson.html", context=context, data=structured.lesson(env, context))


def all_playbooks(env: RenderEnvironment, context: AllPlaybooks) -> bytes:
    """The list of all playbooks."""
    whole = replace(context, rows=context.by_category)
    part = lists.first_part(whole, "playbooks")
    sizes = Counter(row.category for row in whole.rows)
    data = structured.all_playbooks(env, context)
    return env.page("playbooks.html", context=whole, part=part, sizes=sizes, data=data)


def listing(template: str, kind: str) -> Callable[[RenderEnvironment, ListContext], bytes]:
    """A view of the first page of a category, a job or an agent by its template; `kind` is its folder in addresses."""

    def view(env: RenderEnvironment, context: ListContext) -> bytes:
        slug = context.subject if isinstance(context.subject, str | None) else context.subject.slug
        part = lists.first_part(context, f"{kind}/{slug}")
        return env.page(template, context=context, part=part, data=structured.listing(env, context))

    return view


def trust_page(env: RenderEnvironment, _context: object) -> bytes:
    """The trust page: the rules as the code has them."""
    return env.page("trust.html", rules=trust.rules(), footnotes=trust.footnotes())


def errors_page(env: RenderEnvironment, _context: object) -> bytes:
    """The page that every error's `type` leads to."""
    return env.page("errors.html", kinds=KINDS)


def rules_page(env: RenderEnvironment, _context: object) -> bytes:
    """The rules that `playbooks check` holds content to."""
    return env.page("rules.html", rules=rule_book(), merge_rules=merge_rule_book())


def reasons_page(env: RenderEnvironment, _context: object) -> bytes:
    """The codes that decisions of review are given, each with the sentence that a sender reads."""
    rows = [(reason, [decision for decision in Decision if decision in reason.decisions]) for reason in REASONS]
    return env.page("reasons.html", rows=rows)


def submissions_page(env: RenderEnvironment, _context: object) -> bytes:
    """The form that asks for a submission's status; a live server fills it in."""
    return submission_status(env, "", None, None)


def submission_status(
    env: RenderEnvironment,
    name: str,
    status: SubmissionStatus | None,
    problem: str | None,
    run: RunStanding | None = None,
) -> bytes:
    """Where the submission `name`, or the run report of this name, stands; or why that cannot be said."""
    address = env.addresses.submissions
    told = {"name": name, "status": status, "problem": problem, "meanings": MEANINGS, "address": address}
    return env.page("submissions.html", **told, run=run, run_meanings=RUN_MEANINGS)


def search_page(env: RenderEnvironment, context: Names) -> bytes:
    """The search form, without results; a live server fills it in."""
    return search_results(env, context, "", None, None)


def search_results(
    env: RenderEnvironment,
    names: Names,
    query: str,
    answer: SearchAnswer | None,
    problem: str | None,
    filters: Mapping[str, str] = _NO_FILTERS,
) -> bytes:
    """The search page with the results of a query, or with what was wrong with it.

    `names` are what its values are called, `filters` the query string's other parameters: type, category, agent,
    min_trust, proven.
    """
    known = {name: filters[name] for name in _FILTERS if filters.get(name)}
    small = sorted(QUERY_STOP_WORDS)
    told = {"query": query, "answer": answer, "problem": problem, "filters": known, "small": small}
    called = {**asdict(names), "proven": {"true": "Proven"}}
    told |= {"called": called, "names": orjson.dumps(called).decode()}
    listed = {
        name: value for name, value in known.items() if name not in ("type", "proven")
    }  # what lists of playbooks filter by too
    return env.page("search.html", **told, listed=listed)


def doc_page(env: RenderEnvironment, context: ProjectDocument) -> bytes:
    """One document of the project."""
    body = env.prose.document(context.text, root=env.site.root)
    headings = [(place, Markup(words).striptags()) for place, words in _HEADING.findall(body)]  # noqa: S704 - from Prose
    data = structured.document(env, context.slug, context.title)
    return env.page("doc.html", context=context, body=body, headings=headings, data=data)
