"""The table of every file of a site as data: path, subject, view, type; of the API by its operations.

Files, server, deployments and tests are made from it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from library.interface.answers import Answer, Index
from library.interface.errors import KINDS
from library.interface.intake import RunReport, Submission
from library.interface.operations import OPERATIONS
from library.rules import trust
from library.rules.checks import merge_rule_book, rule_book

from ..facts import Facts
from . import (
    cards,
    feeds,
    figures,
    forms,
    lists,
    openapi,
    page_contexts,
    pages,
    renditions,
    skills,
    versions,
)
from .page_contexts import PlaybookContext
from .pages import playbook_page
from .rendering import RenderEnvironment


@dataclass(frozen=True, slots=True)
class Subject:
    """What a route is about: which slugs there are, and how the context of the page of each is picked.

    A `record` has files of its own, which are written before any list: lists may name them, and show their digests.
    """

    name: str
    slugs: Callable[[Facts], Iterable[str]]
    pick: Callable[[Facts, str], object]
    record: bool = False

    def ready(self, env: RenderEnvironment, facts: Facts, slug: str) -> object:
        """What the views of this subject are given for one slug."""
        context = self.pick(facts, slug)
        return playbook_page(env, context, facts.book(slug)) if isinstance(context, PlaybookContext) else context


def single(name: str, pick: Callable[[Facts], object], *, table: bool = True) -> Subject:
    """A subject that there is one of; its context is a table, so that an edit which moves nothing of it is none.

    One that costs more to work out than to render again is no table.
    """
    if table and pick.__name__ == "<lambda>":
        raise ValueError(f"{name}: a table is known by its function's name, which a lambda lacks")
    return Subject(name, lambda _facts: ("",), lambda facts, _slug: facts.table(pick) if table else pick(facts))


def _each(kind: str, name: str, pick: Callable[[Facts, str], object], *, record: bool = False) -> Subject:
    return Subject(name, lambda facts: sorted(getattr(facts.library, kind)), pick, record)


def _pages_of(
    kind: str,
    about: str,
    table: Callable[[Facts], lists.Pages[Any]],
    pick: Callable[[Facts, str, str, int], object],
    *,
    first: bool = False,
) -> Subject:
    """The pages of the lists of one kind: the first by the slug of a list, the others as `<slug>/<number>`."""

    def slugs(facts: Facts) -> list[str]:
        some = [(slug, at) for of, slug, at in facts.table(table) if of == kind and (at == 1) is first]
        return [slug if first else f"{slug}/{at}" for slug, at in some]

    def picked(facts: Facts, name: str) -> object:
        slug, _, number = (f"{name}/1" if first else name).rpartition("/")
        return pick(facts, kind, slug, int(number))

    return Subject(f"{'first' if first else 'later'} {about} {kind}", slugs, picked)


def _months(name: str, *, whole: bool) -> Subject:
    """The pages of the record of reports: of the whole library, or of each playbook."""

    def slugs(facts: Facts) -> list[str]:
        return [at for at in facts.table(page_contexts.run_pages) if at.startswith("/") is whole]

    return Subject(name, slugs, page_contexts.page_of_runs)


API = "/api/v1"
JSON = "application/json"
HTML = "text/html; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
ATOM = "application/atom+xml"
JSON_FEED = "application/feed+json"
XML = "application/xml"
PNG = "image/png"
ICON = "image/x-icon"
SVG = "image/svg+xml"
ZIP = "application/zip"
MANIFEST = "application/manifest+json"
LINKSET = "application/linkset+json"
CATALOG = "application/ai-catalog+json"
CSV = "text/csv; charset=utf-8; header=present"
TEXT = "text/plain; charset=utf-8"


PLAYBOOK = _each("playbooks", "playbook", page_contexts.playbook, record=True)
PLAYBOOK_RUNS = _each("playbooks", "playbook's runs", page_contexts.runs_of, record=True)
RUNS = single("runs", page_contexts.all_runs)
RUN_PAGES = _months("months of runs", whole=True)
PLAYBOOK_RUN_PAGES = _months("months of one playbook's runs", whole=False)
LESSON = _each("lessons", "lesson", page_contexts.lesson, record=True)
AGENT = _each("agents", "agent", page_contexts.agent)
COMPARED = Subject("comparison", page_contexts.jobs_compared, page_contexts.compare)
TASK = _each("tasks", "task", page_contexts.task)
AGENTS = single("agents", page_contexts.agents, table=False)
JOBS = single("jobs", page_contexts.jobs, table=False)
LESSONS = single("lessons", page_contexts.lessons, table=False)
CATEGORY = _each("categories", "category", page_contexts.category)
CONTRIBUTORS = single("contributors", page_contexts.contributors)
CONTRIBUTOR = Subject("contributor", lambda facts: facts.library.handles, page_contexts.contributor)
ALIAS = Subject("alias", lambda facts: sorted(facts.library.former), page_contexts.alias)
SCRIPT = Subject("script", page_contexts.scripts, lambda facts, name: facts.library.scripts[name], record=True)
DOC = Subject("doc", lambda _facts: sorted(page_contexts.DOCS), page_contexts.doc)
SKILLS = single("skills", page_contexts.skills, table=False)
STATISTICS = single("statistics", figures.statistics)
CHANGES = single("changes", feeds.changes)
SITE_MAP = single("site map", feeds.site_map)
SITE_MAP_PART = Subject("site map's part", feeds.site_map_parts, feeds.site_map_part)
ALL = single("all", page_contexts.all_playbooks)
ROWS = single("rows", lists.by_category)
OVERVIEW = single("overview", page_contexts.overview)
NOTHING = single("nothing", lambda _facts: None, table=False)
"""Of a page that shows nothing of the library."""

View = Callable[[RenderEnvironment, Any], bytes | None]
"""A page's context, as the bytes of a file; None where there is to be no file."""


@dataclass(frozen=True)
class Route:
    """One file. `path` is below the site's root and names its subject in braces; of a page of a list also its number,
    of a script its name, of a page of reports its year and month.

    `view` is None where the file is joined by release builds only. `query` says that a query parameter picks another
    path; `twin` is the path of the markdown rendition that `Accept: text/markdown` asks for.
    """

    path: str
    about: str
    content_type: str
    subject: Subject
    view: View | None
    query: tuple[str, str] | None = None
    twin: str | None = None

    @cached_property
    def file(self) -> str:
        """The file that holds the answer, relative to the site's top, the slug still in braces."""
        path = self.path.lstrip("/")
        if path.endswith("/") or not path:
            return path + ("index.json" if self.content_type == JSON else "index.html")
        return f"{path}.json" if self.content_type == JSON and not path.endswith(".json") else path

    def file_of(self, slug: str) -> str:
        """The file for one slug; for a page of a list, `<slug>/<number>`, or a skill's script, `<slug>/<script>`."""
        file = self.file
        for name in (name for name in ("{number}", "{script}", "{month}", "{year}") if name in file):
            slug, _, last = slug.rpartition("/")
            file = file.replace(name, last)
        return file.replace("{slug}", slug)


def _answer(view: Callable[[Any], bytes | None]) -> View:
    return lambda _env, seen: view(seen)


def _answered(answer: Callable[[Facts], Answer]) -> tuple[Subject, View]:
    """What nothing else shows: a model of `library/interface/answers.py`, made of the facts."""
    return single(f"answer of {answer.__name__}", answer), _answer(Answer.json_bytes)


def _page(template: str, **told: object) -> View:
    return lambda env, seen: env.page(template, context=seen, **told)


def _json_page(template: str) -> View:
    return lambda env, seen: orjson.dumps(orjson.loads(env.page(template, context=seen)))


def _later(kind: str, template: str = "list-page.html") -> tuple[Subject, View]:
    """The pages of the long lists of one kind, but their first ones."""
    return _pages_of(kind, "pages of", lists.pages, lists.page_of), _page(template)


_TRUST = _page("trust.html", rule=trust.RULE)
_RULES = _page("rules.html", rules=rule_book(), merge_rules=merge_rule_book())


def _icon(env: RenderEnvironment, _context: object) -> bytes:
    return env.assets["favicon.ico"].body


def _html(path: str, about: str, subject: Subject, view: View, *, twin: bool = False) -> Route:
    return Route(path, about, HTML, subject, view, twin=f"{path.rstrip('/')}.md" if twin else None)


def _feed_of(kind: str, name: str) -> Subject:
    return _each(kind, f"{name}'s feed", feeds.of_list(kind))


def _api_index(env: RenderEnvironment, _context: object) -> bytes:
    links = {name: f"{env.site.base_url}{path}" for name, path in API_LINKS}
    return Index(title=env.site.title, version=openapi.API_VERSION, links=links).json_bytes()


OPENAPI = single("openapi", openapi.samples)
API_LINKS = [
    ("search", "/search?q={q}"),
    ("find", "/find?task={task}"),
    ("playbooks", "/playbooks"),
    ("playbook", "/playbooks/{slug}"),
    ("trust", "/playbooks/{slug}/trust"),
    ("agents", "/agents"),
    ("agent", "/agents/{slug}"),
    ("playbooks_by_agent", "/playbooks/by-agent/{slug}"),
    ("playbooks_by_category", "/playbooks/by-category/{slug}"),
    ("playbooks_by_task", "/playbooks/by-task/{slug}"),
    ("playbooks_by_trust", "/playbooks/by-trust/{slug}"),
    ("tasks", "/tasks"),
    ("task", "/tasks/{slug}"),
    ("versions", "/playbooks/{slug}/versions"),
    ("version", "/playbooks/{slug}/versions/{version}"),
    ("categories", "/categories"),
    ("category", "/categories/{slug}"),
    ("compare", "/compare/{slug}"),
    ("lessons", "/lessons"),
    ("lesson", "/lessons/{slug}"),
    ("stats", "/stats"),
    ("runs", "/runs"),
    ("runs_of_playbook", "/runs?playbook={slug}"),
    ("runs_of_month", "/runs/{year}/{month}"),
    ("run", "/runs/{id}"),
    ("submission", "/submissions/{id}"),
    ("aliases", "/aliases"),
    ("openapi", "/openapi.json"),
]

API_VIEWS: Mapping[str, tuple[Subject, View | None]] = {
    "getIndex": (NOTHING, _api_index),
    "getDescription": (OPENAPI, openapi.openapi),
    "listPlaybooks": (single("summaries", lists.summaries), _answer(lists.summaries_json)),
    "listWholePlaybooks": (NOTHING, None),
    **{
        f"listPlaybooksBy{word}{part}": (
            _pages_of(kind, "parts of playbooks by", lists.parts, lists.part_of, first=not part),
            _answer(lambda body: body),
        )
        for kind, word in (("agents", "Agent"), ("categories", "Category"), ("tasks", "Task"), ("trust", "Trust"))
        for part in ("", "Part")
    },
    "getPlaybook": (PLAYBOOK, _answer(lambda page: page.answer.json_bytes())),
    "listVersions": (PLAYBOOK, versions.versions_json),
    "getTrust": (PLAYBOOK, _answer(lambda page: page.context.trust.json_bytes())),
    "listAgents": (AGENTS, _answer(Answer.json_bytes)),
    "getAgent": (AGENT, _answer(lambda context: context.subject.json_bytes())),
    "listTasks": (JOBS, _answer(Answer.json_bytes)),
    "getTask": (TASK, _answer(lambda context: context.subject.json_bytes())),
    "listCategories": _answered(page_contexts.categories),
    "getCategory": (CATEGORY, _answer(lambda context: context.subject.json_bytes())),
    "compareAgents": (COMPARED, _answer(lambda context: context.answer.json_bytes())),
    "listLessons": (LESSONS, _answer(Answer.json_bytes)),
    "getLesson": (LESSON, _answer(lambda context: context.lesson.json_bytes())),
    "getStatistics": (STATISTICS, _answer(lambda context: context.stats.json_bytes())),
    "listRuns": (RUNS, _answer(Answer.json_bytes)),
    "listRunsOfPlaybook": (PLAYBOOK_RUNS, _answer(Answer.json_bytes)),
    "listRunsOfMonth": (RUN_PAGES, _answer(Answer.json_bytes)),
    "listRunsOfPlaybookInMonth": (PLAYBOOK_RUN_PAGES, _answer(Answer.json_bytes)),
    "listAliases": _answered(page_contexts.all_aliases),
}
"""What each static operation is about, and its view; one without a view is joined by release builds only."""

_RUNS_OF = ("playbook", f"{API}/runs/by-playbook/{{slug}}")
"""The query parameter of a list of runs that picks another path."""

API_ROUTES: tuple[Route, ...] = tuple(
    Route(
        API + row.path,
        f"answer to {row.name}",
        JSON,
        *API_VIEWS[row.name],
        _RUNS_OF if row.name == "listRuns" else None,
    )
    for row in OPERATIONS
    if not row.live
)

PAGE_ROUTES: tuple[Route, ...] = (
    _html("/", "home", single("home", page_contexts.home), _page("home.html")),
    _html("/playbooks/", "all playbooks", ALL, _page("playbooks.html")),
    _html("/playbooks/page/{number}/", "more of all playbooks", *_later("playbooks")),
    Route("/playbooks/rows.json", "all rows of lists, for filters", JSON, ROWS, _answer(lists.rows_json)),
    _html("/playbooks/{slug}/", "one playbook", PLAYBOOK, pages.playbook, twin=True),
    _html("/playbooks/{slug}/run/", "one playbook, a step at a time", PLAYBOOK, pages.companion),
    _html("/playbooks/{slug}/changes/", "what changed in one playbook", PLAYBOOK, pages.changes),
    _html("/playbooks/{slug}/", "where a renamed playbook went", ALIAS, _page("alias.html")),
    _html("/lessons/", "all lessons", LESSONS, lists.lessons),
    _html(
        "/lessons/page/{number}/",
        "more of all lessons",
        _pages_of("lessons", "pages of", lists.pages, lists.page_of),
        _page("lessons.html"),
    ),
    _html("/lessons/{slug}/", "one lesson", LESSON, _page("lesson.html"), twin=True),
    _html("/tasks/", "all jobs", JOBS, _page("tasks.html")),
    _html("/tasks/{slug}/", "one job", TASK, _page("task.html"), twin=True),
    _html("/tasks/{slug}/page/{number}/", "more of one job", *_later("tasks")),
    _html("/compare/{slug}/", "one job by agents", COMPARED, _page("compare.html")),
    _html("/categories/", "all categories", JOBS, _page("categories.html")),
    _html("/categories/{slug}/", "one category", CATEGORY, _page("category.html"), twin=True),
    _html("/categories/{slug}/page/{number}/", "more of one category", *_later("categories")),
    _html("/agents/", "all agents", AGENTS, _page("agents.html")),
    _html("/agents/{slug}/", "one agent", AGENT, _page("agent.html"), twin=True),
    _html("/agents/{slug}/page/{number}/", "more of one agent", *_later("agents")),
    _html("/contributors/", "everyone who contributed", CONTRIBUTORS, _page("contributors.html")),
    _html("/contributors/{slug}/", "one contributor", CONTRIBUTOR, _page("contributor.html")),
    _html("/changes/", "the latest changes", CHANGES, _page("changes-all.html")),
    _html(
        "/stats/",
        "statistics",
        STATISTICS,
        _page("stats.html", files=figures.FILES),
    ),
    _html(
        "/trust/",
        "how trust is computed",
        NOTHING,
        _TRUST,
    ),
    _html("/search/", "the search form", single("names", page_contexts.names), pages.search_results),
    _html("/submissions/", "the form for a submission's status", NOTHING, lambda env, _: pages.submission_status(env)),
    _html("/mine/", "what a reader's own browser keeps", NOTHING, _page("mine.html")),
    _html("/report/", "the form that reports a run", AGENTS, forms.page("report.html", RunReport)),
    _html("/submit/", "the form for everything else that is sent in", AGENTS, forms.page("submit.html", Submission)),
    _html("/docs/", "the documentation", single("docs", page_contexts.docs), _page("docs.html")),
    _html("/docs/errors/", "every kind of error", NOTHING, _page("errors.html", kinds=KINDS)),
    _html(
        "/docs/checks/",
        "the rules that content keeps",
        NOTHING,
        _RULES,
    ),
    _html("/docs/fields/", "every field of content files", NOTHING, openapi.fields_page),
    _html("/docs/reasons/", "why something is decided, by code", NOTHING, pages.reasons_page),
    _html("/docs/operations/", "every operation of the interface", OPENAPI, openapi.operations),
    _html("/docs/{slug}/", "one page of the documentation", DOC, pages.doc_page, twin=True),
    Route("/404.html", "what is said where nothing is", HTML, NOTHING, _page("404.html")),
)

RENDITION_ROUTES: tuple[Route, ...] = (
    Route("/playbooks/{slug}.md", "a playbook as text", MARKDOWN, PLAYBOOK, _answer(renditions.playbook_markdown)),
    Route("/skills/{slug}/SKILL.md", "one playbook as an instruction file", MARKDOWN, PLAYBOOK, skills.skill),
    Route("/lessons/{slug}.md", "one lesson as markdown", MARKDOWN, LESSON, _answer(renditions.lesson_markdown)),
    Route(
        "/s/{slug}/skill.zip", "one playbook as a skill: its core, references and scripts", ZIP, PLAYBOOK, skills.bundle
    ),
    Route("/skills/{slug}/scripts/{script}", "a script of a skill, as text", TEXT, SCRIPT, _answer(skills.script)),
    Route("/categories/{slug}.md", "one category as markdown", MARKDOWN, CATEGORY, renditions.listing),
    Route("/tasks/{slug}.md", "one job as markdown", MARKDOWN, TASK, renditions.listing),
    Route("/agents/{slug}.md", "one agent as markdown", MARKDOWN, AGENT, renditions.listing),
    Route("/docs/{slug}.md", "one page of the documentation as markdown", MARKDOWN, DOC, renditions.doc),
)

FEEDS: tuple[tuple[str, str, Subject], ...] = (
    ("/", "what changed, newest first", single("feed", feeds.of_everything)),
    ("/playbooks/", "playbooks that changed", single("playbooks' feed", feeds.of_playbooks)),
    ("/lessons/", "lessons that changed", single("lessons' feed", feeds.of_lessons)),
    ("/categories/{slug}/", "a category's playbooks that changed", _feed_of("categories", "category")),
    ("/tasks/{slug}/", "a job's playbooks that changed", _feed_of("tasks", "task")),
    ("/agents/{slug}/", "an agent's playbooks that changed", _feed_of("agents", "agent")),
)
"""The feeds that list records: the folder, what it is, and whose."""

FEED_ROUTES: tuple[Route, ...] = (
    *(Route(f"{folder}feed.xml", about, ATOM, subject, feeds.atom) for folder, about, subject in FEEDS),
    *(Route(f"{folder}feed.json", about, JSON_FEED, subject, feeds.json) for folder, about, subject in FEEDS),
    Route("/changes/feed.xml", "the latest changes", ATOM, CHANGES, feeds.of_library(feeds.atom)),
    Route("/changes/feed.json", "the latest changes", JSON_FEED, CHANGES, feeds.of_library(feeds.json)),
    Route("/playbooks/{slug}/feed.xml", "one playbook's changes", ATOM, PLAYBOOK, feeds.of_playbook(feeds.atom)),
    Route("/playbooks/{slug}/feed.json", "one playbook's changes", JSON_FEED, PLAYBOOK, feeds.of_playbook(feeds.json)),
    *(
        Route(f"/stats/{name}.csv", about, CSV, STATISTICS, figures.as_csv(rows))
        for name, (about, rows) in figures.FILES.items()
    ),
    Route("/playbooks/{slug}/card.png", "one playbook's card, in release builds", PNG, PLAYBOOK, cards.playbook),
    Route("/badges/{slug}.svg", "one playbook's badge", SVG, PLAYBOOK, cards.badge),
    Route("/card.png", "the library's card, in release builds", PNG, NOTHING, cards.library),
    Route("/site.webmanifest", "the library's name and icons", MANIFEST, NOTHING, _page("site.webmanifest")),
    Route("/favicon.ico", "the icon that older browsers ask for", ICON, NOTHING, _icon),
    Route("/sitemap.xml", "every page", XML, SITE_MAP, _page("sitemap.xml")),
    Route("/sitemaps/{slug}.xml", "a part of the pages", XML, SITE_MAP_PART, _page("sitemap.xml")),
    Route("/robots.txt", "what crawlers may read", TEXT, NOTHING, _page("robots.txt")),
)

DISCOVERY_ROUTES: tuple[Route, ...] = (
    Route("/llms.txt", "what this is, for language models", TEXT, OVERVIEW, renditions.llms),
    Route("/llms-full.txt", "every playbook as markdown, in release builds", TEXT, NOTHING, None),
    *(
        Route(f"/.well-known/{folder}/index.json", about, JSON, SKILLS, _answer(skills.all_skills))
        for folder, about in (
            ("agent-skills", "every skill with its digest"),
            ("skills", "the same where older clients look"),
        )
    ),
    Route("/s/{slug}/.well-known/agent-skills/index.json", "one skill alone", JSON, PLAYBOOK, skills.one_skill),
    Route("/.well-known/mcp.json", "where the MCP server is", JSON, NOTHING, _json_page("mcp.json")),
    Route("/.well-known/api-catalog", "the interfaces of this host", LINKSET, NOTHING, _json_page("api-catalog.json")),
    Route("/.well-known/ai-catalog.json", "the AI catalogue", CATALOG, JOBS, _json_page("ai-catalog.json")),
    Route("/categories/{slug}/ai-catalog.json", "a category's", CATALOG, CATEGORY, _json_page("category-catalog.json")),
)

ROUTES: tuple[Route, ...] = (*API_ROUTES, *PAGE_ROUTES, *RENDITION_ROUTES, *FEED_ROUTES, *DISCOVERY_ROUTES)
