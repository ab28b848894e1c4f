"""What pages say of themselves in the words of schema.org, as data that cannot end its element early. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from markupsafe import Markup

from library.interface.answers import AgentAnswer, CategoryAnswer, PlaybookAnswer, TaskAnswer
from library.records.vocabulary import Status

from .lists import ABOVE, Row
from .page_contexts import LessonContext, ListContext, PlaybookContext
from .rendering import RenderEnvironment

MOST_LISTED = 100
"""A list names so many of its items; a page with thousands of rows must not say each of them twice."""

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""What could end a script element, begin a comment in it, or end a line of a script; JSON may write them so."""

Thing = dict[str, Any]


def block(*things: Thing) -> Markup:
    """Things as the content of a `script` element of type `application/ld+json`."""
    text = orjson.dumps({"@context": "https://schema.org", "@graph": things}).decode()
    for letter, escape in _ESCAPES.items():
        text = text.replace(letter, escape)
    return Markup(text)  # noqa: S704 - JSON in which nothing can end the element, escaped on the lines above


def playbook(env: RenderEnvironment, book: PlaybookAnswer, context: PlaybookContext) -> Markup | None:
    """A playbook as a HowTo with its steps; None for a withdrawn one, which is not to be followed."""
    if book.status is Status.WITHDRAWN:
        return None
    thing = {
        **_resource("HowTo", book.url),
        "name": book.title,
        "description": book.summary,
        "dateModified": book.updated,
        "image": f"{book.url}card.png" if env.release else "",
        "version": book.version,
        **_published(env),
        "creativeWorkStatus": book.status.capitalize(),
        "about": book.task.name,
        "keywords": list(book.tags),
        "estimatedCost": book.cost,
        "tool": [{"@type": "HowToTool", "name": need.name} for need in book.needs],
        "step": [
            {
                "@type": "HowToStep",
                "position": number,
                "name": step.title,
                "url": f"{book.url}#step-{number}",
                "itemListElement": [
                    {"@type": "HowToDirection", "text": step.detail},
                    {"@type": "HowToTip", "text": f"Check: {step.check}"},
                ],
            }
            for number, step in enumerate(book.steps, 1)
        ],
        "encoding": [
            _form(book.markdown_url, "text/markdown"),
            _form(f"{env.site.base_url}/playbooks/{book.slug}", "application/json"),
        ],
    }
    way = [
        (context.category.title, env.addresses.page("categories", context.category.slug)),
        (book.task.name, env.addresses.page("tasks", book.task.slug)),
    ]
    return block(_without_empty(thing), _crumbs(env, [*way, (book.title, book.url)]))


def home(env: RenderEnvironment) -> Markup:
    """The whole site, and how it is searched."""
    top = f"{env.addresses.site_url}/"
    target = {"@type": "EntryPoint", "urlTemplate": f"{top}search/?q={{query}}"}
    site = {**_resource("WebSite", top), "name": env.site.title, "description": env.site.tagline}
    site |= {"inLanguage": "en", "license": env.site.licence.url}
    return block({**site, "potentialAction": {"@type": "SearchAction", "target": target}})


def statistics(env: RenderEnvironment, files: Mapping[str, str]) -> Markup:
    """The statistics as a data set; `files` says what each of its files holds, by name."""
    address = f"{env.addresses.site_url}/stats/"
    thing = {
        **_resource("Dataset", address),
        "name": f"Statistics of {env.site.title}",
        "description": "Counts of playbooks by trust, of public accounts by outcome, of run reports by month and agent,"
        " and of playbooks by job and agent.",
        **_published(env),
        "creator": {"@type": "Organization", "name": env.site.title, "url": f"{env.addresses.site_url}/"},
        "distribution": [
            {"@type": "DataDownload", "name": about.capitalize(), "contentUrl": f"{address}{name}.csv"}
            | {"encodingFormat": "text/csv"}
            for name, about in files.items()
        ],
    }
    return block(thing, _crumbs(env, [("Statistics", address)]))


def document(env: RenderEnvironment, slug: str, title: str) -> Markup:
    """A document of the project as an article."""
    address = f"{env.addresses.site_url}/docs/{slug}/"
    thing = {**_resource("TechArticle", address), "headline": title[:110], "name": title}
    way = [("Docs", f"{env.addresses.site_url}/docs/"), (title, address)]
    return block({**thing, "inLanguage": "en"}, _crumbs(env, way))


def lesson(env: RenderEnvironment, context: LessonContext) -> Markup:
    """A lesson as an article."""
    item = context.lesson
    thing = {
        **_resource("TechArticle", item.url),
        "headline": item.title[:110],
        "name": item.title,
        "description": item.problem,
        "articleBody": f"{item.problem}\n\n{item.fix}",
        "dateModified": item.updated.isoformat(),
        **_published(env),
        "keywords": list(item.tags),
        "citation": [source.url for source in item.sources],
        "encoding": [_form(item.markdown_url, "text/markdown")],
    }
    way = [("Lessons", f"{env.addresses.site_url}/lessons/"), (item.title, item.url)]
    return block(_without_empty(thing), _crumbs(env, way))


def listing(env: RenderEnvironment, context: ListContext) -> Markup | None:
    """The page of a category, a job or an agent as a list of its playbooks; None where it is about none of these."""
    subject = context.subject
    if not isinstance(subject, AgentAnswer | TaskAnswer | CategoryAnswer):
        return None
    folder = {AgentAnswer: "agents", TaskAnswer: "tasks", CategoryAnswer: "categories"}[type(subject)]
    way = [(ABOVE[folder], f"{env.addresses.site_url}/{folder}/"), (subject.name, subject.url)]
    return block({"@id": subject.url, "name": subject.name, **_items(env, context.rows)}, _crumbs(env, way))


def all_playbooks(env: RenderEnvironment, context: ListContext) -> Markup:
    """The list of all playbooks."""
    name, address = "All playbooks", f"{env.addresses.site_url}/playbooks/"
    return block({"@id": address, "name": name, **_items(env, context.rows)}, _crumbs(env, [(name, address)]))


def _items(env: RenderEnvironment, rows: Sequence[Row]) -> Thing:
    offered = [row for row in rows if row.status != Status.WITHDRAWN]
    named = [(row.title, env.addresses.page("playbooks", row.slug)) for row in offered[:MOST_LISTED]]
    items = [{"@type": "ListItem", "position": at, "name": name, "url": url} for at, (name, url) in enumerate(named, 1)]
    return {"@type": "ItemList", "numberOfItems": len(offered), "itemListElement": items}


def _crumbs(env: RenderEnvironment, way: Sequence[tuple[str, str]]) -> Thing:
    stops = enumerate([("Home", f"{env.addresses.site_url}/"), *way], 1)
    items = [{"@type": "ListItem", "position": at, "name": name, "item": address} for at, (name, address) in stops]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def _resource(kind: str, address: str) -> Thing:
    return {"@type": kind, "@id": address, "url": address}


def _published(env: RenderEnvironment) -> Thing:
    site = {"@type": "WebSite", "name": env.site.title, "url": f"{env.addresses.site_url}/"}
    return {"inLanguage": "en", "isPartOf": site, "license": env.site.licence.url}


def _form(address: str, kind: str) -> Thing:
    return {"@type": "MediaObject", "contentUrl": address, "encodingFormat": kind}


def _without_empty(thing: Mapping[str, Any]) -> Thing:
    return {name: value for name, value in thing.items() if value not in ([], "")}
