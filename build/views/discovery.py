"""What machines ask for first: the site map, the word to crawlers, `llms.txt`, the AI catalogues. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import urlsplit

import msgspec
import orjson

from library import __version__
from library.interface.answers import PROVENANCE_NOTE, TaskAnswer, TaskList
from library.interface.finding import line
from library.records.collection import PlaybookEntry
from library.records.vocabulary import Status

from ..facts import Facts
from .page_contexts import ListContext, Overview, jobs_compared
from .rendering import RenderEnvironment
from .renditions import bullets, document, entry, heading

PAGES = (
    *("", "playbooks/", "lessons/", "tasks/", "categories/", "agents/", "contributors/", "stats/", "trust/", "search/"),
    *("submissions/", "report/", "submit/", "docs/", "changes/"),
)
"""The pages that there is one of, as the site map names them."""

CATALOG = "application/ai-catalog+json"
"""The media type of a catalogue, and the type of an entry that is one."""

MOST_QUERIES = 5
"""Catalogues name two to five things that one would ask each of their entries for."""

SKILL = 'text/markdown; profile="urn:air:agent-skills"'
"""The type of a catalogue's entry that is an instruction file."""

PART = 50_000
"""A site map holds at most so many addresses; the rules of site maps say so."""


class SiteMap(msgspec.Struct, frozen=True):
    """A site map: addresses below the site's top, each with the day of its last change, where that is known."""

    pages: tuple[tuple[str, str], ...]
    parts: int = 0


def map_whole(facts: Facts, tops: Sequence[str] = PAGES) -> SiteMap:
    """Every page for people; only how many parts there are, where one file would hold too many."""
    parts = len(map_parts(facts, tops))
    return SiteMap((), parts) if parts else SiteMap(_pages(facts, tops))


def map_parts(facts: Facts, tops: Sequence[str] = PAGES) -> tuple[str, ...]:
    """The names of the parts of the site map; none where one file holds everything."""
    library = facts.library
    compared = jobs_compared(facts)
    lists = (tops, library.lessons, library.tasks, compared, library.categories, library.agents, library.handles)
    parts = -(-(len(_offered(facts)) + sum(map(len, lists))) // PART)
    return tuple(str(number) for number in range(1, parts + 1)) if parts > 1 else ()


def map_part(facts: Facts, number: str, tops: Sequence[str] = PAGES) -> SiteMap:
    """One part of the site map, by its number."""
    first = (int(number) - 1) * PART
    return SiteMap(_pages(facts, tops)[first : first + PART])


def _offered(facts: Facts) -> list[PlaybookEntry]:
    return [book for book in facts.library.listed if book.status is not Status.WITHDRAWN]


def _pages(facts: Facts, tops: Iterable[str]) -> tuple[tuple[str, str], ...]:
    library, last = facts.library, facts.history.last_day
    pages = [(top, "") for top in tops]
    days = {f"playbooks/{book.slug}": book.updated for book in _offered(facts)}
    days |= {f"lessons/{slug}": library.lessons[slug].updated.isoformat() for slug in sorted(library.lessons)}
    pages += [(f"{name}/", last(f"{name}.yaml") or day) for name, day in days.items()]
    kinds = {"tasks": sorted(library.tasks), "compare": jobs_compared(facts), "categories": library.categories}
    for kind, slugs in {**kinds, "agents": sorted(library.agents), "contributors": library.handles}.items():
        pages += [(f"{kind}/{slug}/", "") for slug in slugs]
    return tuple(pages)


def site_map(env: RenderEnvironment, context: SiteMap) -> bytes:
    """Every page for people, with the day of its last change where there is one; or the index of such files."""
    return env.page("sitemap.xml", context=context)


def robots(env: RenderEnvironment, _context: object) -> bytes:
    """Everything may be read."""
    return f"User-agent: *\nAllow: /\n\nSitemap: {env.addresses.site_url}/sitemap.xml\n".encode()


def llms(env: RenderEnvironment, context: Overview) -> bytes:
    """`llms.txt`: what this is, the rules, how to read it, and the playbooks by category."""
    return document(_llms(env, context)).encode()


def _llms(env: RenderEnvironment, context: Overview) -> Iterator[str]:
    site, top = env.site, env.addresses.site_url
    yield f"# {heading(site.title)}"
    yield f"> {line(site.tagline)}. Each playbook is one real job: a prompt, steps with checks, failures, evidence."
    yield PROVENANCE_NOTE
    yield bullets(
        "Trust is computed: reported, corroborated, tested, confirmed. Each playbook says what its level rests on.",
        "A report of a run waits for an editor. Ask your user before you send one; no private data may be in it.",
        "What is deprecated says what to use instead. What was withdrawn is not listed.",
        f"For a task: `{site.base_url}/find?task=` and the task as it is, or POST it there; over MCP, at `{top}/mcp`,"
        " the tool find_playbook. It gives the one playbook, ready to use.",
        f"Search: `{site.base_url}/search?q=` and the job in plain words.",
        f"One playbook: `{top}/playbooks/` and its slug and `.md`, or `{site.base_url}/playbooks/` and its slug.",
    )
    yield "## How to read and report"
    large = [f"[Everything in one file]({top}/llms-full.txt): large"] if env.release else []
    yield bullets(
        f"[For agents]({top}/docs/agents.md): setting up a client, skills, reporting a run",
        f"[Interface]({top}/docs/interface.md): every path and field; former versions of a playbook are below"
        f" `{site.base_url}/playbooks/`, its slug and `/versions`",
        *large,
    )
    for category in context.categories if context.rows else ():
        if rows := [row for row in context.rows if row.category.slug == category.slug]:
            yield f"## {heading(category.name)}"
            yield bullets(*(f"{entry(env, row)}." for row in rows))
    if not context.rows:
        yield "## Playbooks by category"
        found = []
        for item in context.categories:
            link = f"[{heading(item.name)}]({env.addresses.markdown('categories', item.slug)})"
            found.append(f"{link}: {item.playbook_count} playbooks. {line(item.summary)}")
        yield bullets(*found)
    yield "## Optional"
    yield bullets(
        f"[All lessons]({site.base_url}/lessons.json): failures met in real work, with what mends them",
        f"[Every playbook, as JSON]({site.base_url}/playbooks.json): summaries with trust and runs",
        f"[Skills]({top}/.well-known/agent-skills/index.json): every playbook as a skill, with its digest",
    )


def mcp_server(env: RenderEnvironment, _context: object) -> bytes:
    """Where the MCP server of the library is, in the words of the protocol's registry."""
    site, top = env.site, env.addresses.site_url
    remotes = [{"type": "streamable-http", "url": f"{top}/mcp"}]
    told = {"title": site.title, "description": site.tagline, "version": __version__, "websiteUrl": f"{top}/"}
    name = ".".join(reversed((urlsplit(top).hostname or "").split(".")))
    return orjson.dumps({"name": f"{name}/playbooks", **told, "remotes": remotes})


def api_catalog(env: RenderEnvironment, _context: object) -> bytes:
    """The interfaces of this host, after RFC 9727: one, with its description, its documents and its health."""
    base, top = env.site.base_url, env.addresses.site_url
    links = {
        "service-desc": [{"href": f"{base}/openapi.json", "type": "application/json"}],
        "service-doc": [{"href": f"{top}/docs/interface/", "type": "text/html"}],
        "service-meta": [{"href": f"{top}/.well-known/mcp.json", "type": "application/json"}],
        "status": [{"href": f"{base}/healthz", "type": "application/json"}],
    }
    return orjson.dumps({"linkset": [{"anchor": f"{base}/", **links}]})


def catalog(env: RenderEnvironment, context: TaskList) -> bytes:
    """The AI catalogue of the library: one catalogue for each category that has playbooks.

    What one would ask it for are the jobs in which most playbooks were written.
    """
    entries = [
        {
            "identifier": _urn(env, "categories", item.slug),
            "type": CATALOG,
            "displayName": item.name,
            "description": item.summary,
            "representativeQueries": _queries(task for task in context.items if task.category == item.slug),
            "url": f"{item.url}ai-catalog.json",
        }
        for item in context.categories
        if item.playbook_count
    ]
    return _catalog(env, entries)


def _queries(tasks: Iterable[TaskAnswer]) -> list[str]:
    asked = sorted((task for task in tasks if task.playbook_count), key=lambda task: (-task.playbook_count, task.name))
    return [task.name for task in asked[:MOST_QUERIES]]


def of_category(env: RenderEnvironment, context: ListContext) -> bytes:
    """The AI catalogue of one category: its playbooks as instruction files."""
    entries = [
        {
            "identifier": _urn(env, "playbooks", row.slug),
            "type": SKILL,
            "displayName": row.title,
            "description": row.summary,
            "tags": [row.trust, row.status],
            "url": env.addresses.skill(row.slug),
        }
        for row in context.rows
        if row.status != Status.WITHDRAWN
    ]
    return _catalog(env, entries)


def _urn(env: RenderEnvironment, place: str, slug: str) -> str:
    """A record's name in catalogues everywhere: who publishes it, of what kind it is, its slug."""
    return f"urn:air:{urlsplit(env.addresses.site_url).hostname}:{place}:{slug}"


def _catalog(env: RenderEnvironment, entries: Sequence[Mapping[str, object]]) -> bytes:
    top = env.addresses.site_url
    host = {"displayName": env.site.title, "identifier": top, "documentationUrl": f"{top}/docs/agents/"}
    return orjson.dumps({"specVersion": "1.0", "host": host, "entries": entries})
