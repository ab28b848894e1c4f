"""The table of every file of a site as data: path, subject, view, type; of the API by its operations.

Files, server, deployments and tests are made from it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from library.interface.answers import Answer, Index
from library.interface.errors import KINDS, REASONS
from library.interface.intake import RunReport, Submission
from library.interface.operations import OPERATIONS
from library.records.vocabulary import Decision, Status
from library.rules import trust
from library.rules.checks import merge_rule_book, rule_book

from ..facts import Facts
from . import cards, feeds, figures, lists, openapi, page_contexts, pages, renditions
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
        if isinstance(context, page_contexts.PlaybookContext):
            return pages.playbook_page(env, context, facts.book(slug))
        return context


def singleton(name: str, pick: Callable[[Facts], object], *, table: bool = True) -> Subject:
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
    table, pick = page_contexts.run_pages, page_contexts.page_of_runs
    return Subject(name, lambda facts: [at for at in facts.table(table) if at.startswith("/") is whole], pick)


API = "/api/v1"
JSON = "application/json"
HTML = "text/html; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
ATOM = "application/atom+xml"
TYPES: Mapping[str, str] = {
    "feed.xml": f"{ATOM}; charset=utf-8",
    "feed.json": "application/feed+json",
    "ai-catalog.json": "application/ai-catalog+json",
    "api-catalog": "application/linkset+json",
    "/{script}": "text/plain; charset=utf-8",
    "/": HTML,
    ".html": HTML,
    ".md": MARKDOWN,
    ".json": JSON,
    ".xml": "application/xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".csv": "text/csv; charset=utf-8; header=present",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".svg": "image/svg+xml; charset=utf-8",
    ".zip": "application/zip",
    ".webmanifest": "application/manifest+json",
}
"""The content type of a path by the first of these that it ends with; what is below `API` is JSON."""


PLAYBOOK = _each("playbooks", "playbook", page_contexts.playbook, record=True)
PLAYBOOK_RUNS = _each("playbooks", "playbook's runs", page_contexts.runs_of, record=True)
RUN_PAGES = _months("months of runs", whole=True)
PLAYBOOK_RUN_PAGES = _months("months of one playbook's runs", whole=False)
LESSON = _each("lessons", "lesson", page_contexts.lesson, record=True)
AGENT = _each("agents", "agent", page_contexts.agent)
COMPARED = Subject("comparison", page_contexts.jobs_compared, page_contexts.compare)
TASK = _each("tasks", "task", page_contexts.task)
AGENTS = singleton("agents", page_contexts.agents, table=False)
JOBS = singleton("jobs", page_contexts.jobs, table=False)
WANTED = singleton("wanted jobs", page_contexts.wanted)
LESSONS = singleton("lessons", page_contexts.lessons, table=False)
CATEGORY = _each("categories", "category", page_contexts.category)
CONTRIBUTORS = singleton("contributors", page_contexts.contributors)
CONTRIBUTOR = Subject("contributor", lambda facts: facts.library.handles, page_contexts.contributor)
ALIAS = Subject("alias", lambda facts: sorted(facts.library.former), page_contexts.alias)
SCRIPT = Subject("script", page_contexts.scripts, lambda facts, name: facts.library.scripts[name], record=True)
DOC = Subject("doc", lambda _facts: sorted(page_contexts.DOCS), page_contexts.doc)
SKILLS = singleton("skills", page_contexts.skills, table=False)
STATISTICS = singleton("statistics", figures.statistics)
CHANGES = singleton("changes", feeds.changes)
DAY = Subject("day of changes", lambda facts: facts.table(feeds.by_day), feeds.changes_of_day)
SITE_MAP = singleton("site map", feeds.site_map)
SITE_MAP_PART = Subject("site map's part", feeds.site_map_parts, feeds.site_map_part)
ALL = singleton("all", page_contexts.all_playbooks)
ROWS = singleton("rows", lists.by_category)
OVERVIEW = singleton("overview", page_contexts.overview)
NOTHING = singleton("nothing", lambda _facts: None, table=False)  # of a page that shows nothing of the library
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
    subject: Subject
    view: View | None
    query: tuple[str, str] | None = None
    twin: str | None = None

    @cached_property
    def content_type(self) -> str:
        """The media type, with its parameters."""
        if self.path.startswith(API):
            return JSON
        return next(kind for ending, kind in TYPES.items() if self.path.endswith(ending))

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
    return lambda _env, context: view(context)


def _answer_of_facts(answer: Callable[[Facts], Answer]) -> tuple[Subject, View]:
    """What nothing else shows: a model of `library/interface/answers.py`, made of the facts."""
    return singleton(f"answer of {answer.__name__}", answer), _answer(Answer.json_bytes)


def _page(template: str, **values: object) -> View:
    return lambda env, context: env.page(template, context=context, **values)


def _json_page(template: str) -> View:
    return lambda env, context: env.json(template, context=context)


def _later(kind: str, template: str = "list-page.html") -> tuple[Subject, View]:
    """The pages of the long lists of one kind, but their first ones."""
    return _pages_of(kind, "pages of", lists.pages, lists.page_of), _page(template)


_SKILLS = _answer(renditions.all_skills)
_TRUST = _page("trust.html", rule=trust.RULE)
_COMPANION = pages.of_playbook("run.html", lambda page: page.answer.status is not Status.WITHDRAWN)
_CHANGES = pages.of_playbook("changes.html", lambda page: page.changed)
_VERSIONS = pages.of_playbook("versions.html", lambda page: page.versions[1:])
_REASONS = _page("reasons.html", reasons=REASONS, decisions=tuple(Decision))
_RULES = _page("rules.html", rules=rule_book(), merge_rules=merge_rule_book())


def _feed(
    folder: str, about: str, subject: Subject, of: Callable[[feeds.Form], View] = lambda form: form
) -> tuple[Route, ...]:
    """A feed in both forms; `of` makes the view of each where the subject is more than a feed."""
    forms = {"xml": feeds.atom, "json": feeds.json}
    return tuple(Route(f"{folder}feed.{name}", about, subject, of(form)) for name, form in forms.items())


def _api_index(env: RenderEnvironment, _context: object) -> bytes:
    links = {}
    for row in OPERATIONS:
        asked = "&".join(f"{it.name}={{{it.name}}}" for it in row.parameters if it.required and it.place == "query")
        if row.link:
            links[row.link] = f"{env.site.base_url}{row.path}{'?' if asked else ''}{asked}"
    return Index(title=env.site.title, version=openapi.API_VERSION, links=links).json_bytes()


OPENAPI = singleton("openapi", openapi.samples)
API_VIEWS: Mapping[str, tuple[Subject, View | None]] = {
    "getIndex": (NOTHING, _api_index),
    "getDescription": (OPENAPI, openapi.openapi),
    "listPlaybooks": (singleton("summaries", lists.summaries), _answer(lists.summaries_json)),
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
    "listVersions": (PLAYBOOK, _answer(pages.versions_json)),
    "getTrust": (PLAYBOOK, _answer(lambda page: page.context.trust.json_bytes())),
    "listAgents": (AGENTS, _answer(Answer.json_bytes)),
    "getAgent": (AGENT, _answer(lambda context: context.subject.json_bytes())),
    "listTasks": (JOBS, _answer(Answer.json_bytes)),
    "getTask": (TASK, _answer(lambda context: context.subject.json_bytes())),
    "listWanted": (WANTED, _answer(Answer.json_bytes)),
    "listCategories": _answer_of_facts(page_contexts.categories),
    "getCategory": (CATEGORY, _answer(lambda context: context.subject.json_bytes())),
    "compareAgents": (COMPARED, _answer(lambda context: context.answer.json_bytes())),
    "listLessons": (LESSONS, _answer(Answer.json_bytes)),
    "getLesson": (LESSON, _answer(lambda context: context.lesson.json_bytes())),
    "getStatistics": (STATISTICS, _answer(lambda context: context.stats.json_bytes())),
    "listRuns": _answer_of_facts(page_contexts.all_runs),
    "listRunsOfPlaybook": (PLAYBOOK_RUNS, _answer(Answer.json_bytes)),
    "listRunsOfMonth": (RUN_PAGES, _answer(Answer.json_bytes)),
    "listRunsOfPlaybookInMonth": (PLAYBOOK_RUN_PAGES, _answer(Answer.json_bytes)),
    "listChangeDays": _answer_of_facts(feeds.change_days),
    "getChangesOfDay": (DAY, feeds.day_json),
    "listAliases": _answer_of_facts(page_contexts.all_aliases),
}
"""What each static operation is about, and its view; one without a view is joined by release builds only."""
_RUNS_OF = ("playbook", f"{API}/runs/by-playbook/{{slug}}")
"""The query parameter of a list of runs that picks another path."""

API_ROUTES: tuple[Route, ...] = tuple(
    Route(API + row.path, f"answer to {row.name}", *API_VIEWS[row.name], _RUNS_OF if row.name == "listRuns" else None)
    for row in OPERATIONS
    if not row.live
)

PAGE_ROUTES: tuple[Route, ...] = (
    Route("/", "home", singleton("home", page_contexts.home), _page("home.html")),
    Route("/playbooks/", "all playbooks", ALL, _page("playbooks.html")),
    Route("/playbooks/page/{number}/", "more of all playbooks", *_later("playbooks")),
    Route("/playbooks/rows.json", "all rows of lists, for filters", ROWS, _answer(lists.rows_json)),
    Route(
        "/playbooks/{slug}/", "one playbook", PLAYBOOK, pages.of_playbook("playbook.html"), twin="/playbooks/{slug}.md"
    ),
    Route("/playbooks/{slug}/run/", "one playbook, a step at a time", PLAYBOOK, _COMPANION),
    Route("/playbooks/{slug}/changes/", "what changed in one playbook", PLAYBOOK, _CHANGES),
    Route("/playbooks/{slug}/versions/", "every version of one playbook", PLAYBOOK, _VERSIONS),
    Route("/playbooks/{slug}/", "where a renamed playbook went", ALIAS, _page("alias.html")),
    Route("/lessons/", "all lessons", LESSONS, lists.lessons),
    Route("/lessons/page/{number}/", "more of all lessons", *_later("lessons", "lessons.html")),
    Route("/lessons/{slug}/", "one lesson", LESSON, _page("lesson.html"), twin="/lessons/{slug}.md"),
    Route("/tasks/", "all jobs", JOBS, _page("tasks.html")),
    Route("/tasks/{slug}/", "one job", TASK, _page("task.html"), twin="/tasks/{slug}.md"),
    Route("/tasks/{slug}/page/{number}/", "more of one job", *_later("tasks")),
    Route("/wanted/", "jobs that are wanted", WANTED, _page("wanted.html")),
    Route("/compare/", "jobs by agents", singleton("jobs by agents", page_contexts.by_agent), _page("compared.html")),
    Route("/compare/{slug}/", "one job by agents", COMPARED, _page("compare.html")),
    Route("/categories/", "all categories", JOBS, _page("categories.html")),
    Route("/categories/{slug}/", "one category", CATEGORY, _page("category.html"), twin="/categories/{slug}.md"),
    Route("/categories/{slug}/page/{number}/", "more of one category", *_later("categories")),
    Route("/agents/", "all agents", AGENTS, _page("agents.html")),
    Route("/agents/{slug}/", "one agent", AGENT, _page("agent.html"), twin="/agents/{slug}.md"),
    Route("/agents/{slug}/page/{number}/", "more of one agent", *_later("agents")),
    Route("/contributors/", "everyone who contributed", CONTRIBUTORS, _page("contributors.html")),
    Route("/contributors/{slug}/", "one contributor", CONTRIBUTOR, _page("contributor.html")),
    Route("/changes/", "the latest changes", CHANGES, feeds.changes_page),
    Route("/stats/", "statistics", STATISTICS, _page("stats.html", files=figures.FILES)),
    Route("/trust/", "how trust is computed", NOTHING, _TRUST),
    Route("/search/", "the search form", singleton("names", page_contexts.names), pages.search_results),
    Route("/submissions/", "the form for a submission's status", NOTHING, lambda env, _: pages.submission_status(env)),
    Route("/mine/", "what a reader's own browser keeps", NOTHING, _page("mine.html")),
    Route("/report/", "the form that reports a run", AGENTS, openapi.form("report.html", RunReport)),
    Route("/submit/", "the form for everything else that is sent in", AGENTS, openapi.form("submit.html", Submission)),
    Route("/docs/", "the documentation", singleton("docs", page_contexts.docs), _page("docs.html")),
    Route("/docs/errors/", "every kind of error", NOTHING, _page("errors.html", kinds=KINDS)),
    Route("/docs/checks/", "the rules that content keeps", NOTHING, _RULES),
    Route("/docs/fields/", "every field of content files", NOTHING, openapi.fields_page),
    Route("/docs/reasons/", "why something is decided, by code", NOTHING, _REASONS),
    Route("/docs/operations/", "every operation of the interface", OPENAPI, openapi.operations),
    Route("/docs/{slug}/", "one page of the documentation", DOC, pages.doc_page, twin="/docs/{slug}.md"),
    Route("/404.html", "what is said where nothing is", NOTHING, _page("404.html")),
)

RENDITION_ROUTES: tuple[Route, ...] = (
    Route("/playbooks/{slug}.md", "a playbook as text", PLAYBOOK, _answer(renditions.playbook_markdown)),
    Route("/skills/{slug}/SKILL.md", "one playbook as an instruction file", PLAYBOOK, renditions.skill),
    Route("/lessons/{slug}.md", "one lesson as markdown", LESSON, _answer(renditions.lesson_markdown)),
    Route("/s/{slug}/skill.zip", "one playbook as a skill, with all that it names", PLAYBOOK, renditions.bundle),
    Route(
        "/skills/{slug}/scripts/{script}", "a script of a skill, as text", SCRIPT, _answer(lambda it: it.text.encode())
    ),
    Route("/categories/{slug}.md", "one category as markdown", CATEGORY, renditions.written("listing.md")),
    Route("/tasks/{slug}.md", "one job as markdown", TASK, renditions.written("listing.md")),
    Route("/agents/{slug}.md", "one agent as markdown", AGENT, renditions.written("listing.md")),
    Route("/docs/{slug}.md", "one page of the documentation as markdown", DOC, renditions.doc),
)

FEED_ROUTES: tuple[Route, ...] = (
    *_feed("/", "what changed, newest first", singleton("feed", feeds.of_everything)),
    *_feed("/playbooks/", "playbooks that changed", singleton("playbooks' feed", feeds.of_playbooks)),
    *_feed("/lessons/", "lessons that changed", singleton("lessons' feed", feeds.of_lessons)),
    *(
        route
        for of in lists.BOOKS
        for route in _feed(f"/{of}/{{slug}}/", f"what changed of {of}", _each(of, f"feed of {of}", feeds.of_list(of)))
    ),
    *_feed("/changes/", "the latest changes", CHANGES, feeds.of_library),
    *_feed("/playbooks/{slug}/", "one playbook's changes", PLAYBOOK, feeds.of_playbook),
    *(
        Route(f"/stats/{name}.csv", about, STATISTICS, figures.as_csv(rows))
        for name, (about, rows) in figures.FILES.items()
    ),
    Route("/playbooks/{slug}/card.png", "one playbook's card, in release builds", PLAYBOOK, cards.playbook),
    Route("/badges/{slug}.svg", "one playbook's badge", PLAYBOOK, _page("badge.svg")),
    Route("/card.png", "the library's card, in release builds", NOTHING, cards.library),
    Route("/site.webmanifest", "the library's name and icons", NOTHING, _page("site.webmanifest")),
    Route("/favicon.ico", "the icon that older browsers ask for", NOTHING, lambda it, _: it.assets["favicon.ico"].body),
    Route("/sitemap.xml", "every page", SITE_MAP, _page("sitemap.xml")),
    Route("/sitemaps/{slug}.xml", "a part of the pages", SITE_MAP_PART, _page("sitemap.xml")),
    Route("/robots.txt", "what crawlers may read", NOTHING, _page("robots.txt")),
)

DISCOVERY_ROUTES: tuple[Route, ...] = (
    Route("/llms.txt", "what this is, for language models", OVERVIEW, renditions.written("llms.txt")),
    Route("/llms-full.txt", "every playbook as markdown, in release builds", NOTHING, None),
    Route("/.well-known/agent-skills/index.json", "every skill with its digest", SKILLS, _SKILLS),
    Route("/.well-known/skills/index.json", "the same where older clients look", SKILLS, _SKILLS),
    Route("/s/{slug}/.well-known/agent-skills/index.json", "one skill alone", PLAYBOOK, renditions.one_skill),
    Route("/.well-known/mcp.json", "where the MCP server is", NOTHING, _json_page("mcp.json")),
    Route("/server.json", "the same by the name that the MCP registry's tools read", NOTHING, _json_page("mcp.json")),
    Route("/.well-known/api-catalog", "the interfaces of this host", NOTHING, _json_page("api-catalog.json")),
    Route("/.well-known/ai-catalog.json", "the AI catalogue", JOBS, _json_page("ai-catalog.json")),
    Route("/categories/{slug}/ai-catalog.json", "a category's", CATEGORY, _json_page("category-catalog.json")),
)

ROUTES: tuple[Route, ...] = (*API_ROUTES, *PAGE_ROUTES, *RENDITION_ROUTES, *FEED_ROUTES, *DISCOVERY_ROUTES)
