"""Atom feeds: what changed, newest first. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from library.answers import CategoryAnswer

from .desk import Desk
from .shown import Everything, ListShown

MOST = 50


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One entry of a feed: `updated` is a calendar date."""

    title: str
    url: str
    updated: str
    summary: str


def everything(desk: Desk, shown: Everything) -> bytes:
    """The feed of the playbooks and lessons that are shown."""
    books = [FeedEntry(item.title, item.url, item.updated, item.summary) for item in shown.playbooks]
    lessons = [FeedEntry(item.title, item.url, item.updated.isoformat(), item.problem) for item in shown.lessons]
    folder = "playbooks/" if books and not lessons else "lessons/" if lessons and not books else ""
    return _feed(desk, folder, {"playbooks/": ": playbooks", "lessons/": ": lessons"}.get(folder, ""), books + lessons)


def category(desk: Desk, shown: ListShown) -> bytes:
    """The feed of one category."""
    subject = shown.subject
    name, slug = (subject.name, subject.slug) if isinstance(subject, CategoryAnswer) else ("", "")
    entries = [
        FeedEntry(row.title, desk.addresses.page("playbooks", row.slug), row.updated, row.summary) for row in shown.rows
    ]
    return _feed(desk, f"categories/{slug}/", f": {name}", entries)


def _feed(desk: Desk, folder: str, suffix: str, entries: list[FeedEntry]) -> bytes:
    entries.sort(key=lambda entry: (entry.updated, entry.url), reverse=True)
    home = f"{desk.addresses.site_url}/{folder}"
    return desk.page("feed.xml", home=home, title=desk.site.title + suffix, entries=entries[:MOST])
