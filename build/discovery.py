"""What machines ask for first: the site map and the word to crawlers. Pure."""

from __future__ import annotations

from library.vocabulary import Status

from .desk import Desk
from .shown import Everything

_PAGES = (
    "",
    "playbooks/",
    "lessons/",
    "tasks/",
    "categories/",
    "agents/",
    "contributors/",
    "stats/",
    "trust/",
    "search/",
    "submissions/",
    "docs/",
)


def sitemap(desk: Desk, shown: Everything) -> bytes:
    """Every page for people, with the day of its last change where there is one."""
    top = desk.addresses.site_url
    pages: list[tuple[str, str]] = [(f"{top}/{page}", "") for page in _PAGES]
    pages += [(item.url, item.updated) for item in shown.playbooks if item.status is not Status.WITHDRAWN]
    pages += [(item.url, item.updated.isoformat()) for item in shown.lessons]
    pages += [(item.url, "") for item in shown.tasks]
    pages += [(item.url, "") for item in shown.categories]
    pages += [(item.page, "") for item in shown.agents]
    pages += [(desk.addresses.page("contributors", handle), "") for handle in shown.handles]
    return desk.page("sitemap.xml", pages=pages)


def robots(desk: Desk, _shown: object) -> bytes:
    """Everything may be read."""
    return f"User-agent: *\nAllow: /\n\nSitemap: {desk.addresses.site_url}/sitemap.xml\n".encode()
