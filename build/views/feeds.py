"""Feeds: what changed, newest first, as Atom and as JSON Feed 1.1. Pure."""

from __future__ import annotations

from collections.abc import Callable

import orjson

from library.records.fields import zulu

from .changes import DescribedChange
from .following import ChangesShown, FeedEntry, FeedShown, Landed
from .pages import PlaybookPage
from .rendering import Desk

VERSION = "https://jsonfeed.org/version/1.1"
JSON_FEED = "application/feed+json"

Form = Callable[[Desk, FeedShown], bytes]


def atom(desk: Desk, shown: FeedShown) -> bytes:
    """A feed as Atom."""
    return desk.page("feed.xml", home=_home(desk, shown), title=_title(desk, shown), shown=shown)


def json(desk: Desk, shown: FeedShown) -> bytes:
    """A feed as JSON Feed 1.1."""
    home, top = _home(desk, shown), desk.addresses.site_url
    return orjson.dumps(
        {
            "version": VERSION,
            "title": _title(desk, shown),
            "home_page_url": home,
            "feed_url": f"{home}feed.json",
            "language": "en",
            "authors": [{"name": desk.site.title, "url": f"{top}/"}],
            "items": [
                {
                    "id": f"{top}/{entry.path}{entry.key}",
                    "url": f"{top}/{entry.path}",
                    "title": entry.title,
                    "content_text": entry.summary,
                    "date_modified": entry.updated,
                }
                for entry in shown.entries
            ],
        }
    )


def _home(desk: Desk, shown: FeedShown) -> str:
    return f"{desk.addresses.site_url}/{shown.folder}"


def _title(desk: Desk, shown: FeedShown) -> str:
    return f"{desk.site.title}: {shown.name}" if shown.name else desk.site.title


def of_playbook(form: Form) -> Callable[[Desk, PlaybookPage], bytes]:
    """The feed of one playbook: its changes; where none is known, only when it was last changed."""

    def view(desk: Desk, page: PlaybookPage) -> bytes:
        book = page.answer
        entries = tuple(_change(page, item) for item in page.told) or (
            FeedEntry(book.title, f"playbooks/{book.slug}/", f"{book.updated}T00:00:00Z", book.summary),
        )
        return form(desk, FeedShown(book.title, f"playbooks/{book.slug}/", entries))

    return view


def _change(page: PlaybookPage, item: DescribedChange) -> FeedEntry:
    change, book = item.change, page.answer
    folder = f"playbooks/{book.slug}/"
    path = f"{folder}changes/#c-{change.commit[:10]}" if page.changed else folder
    words = "; ".join(item.words) or change.kind.capitalize()
    key = "" if page.changed else f"#c-{change.commit[:10]}"
    return FeedEntry(f"{book.title}: {words}", path, zulu(change.time), f"{words}. {change.title}", key)


def of_library(form: Form) -> Callable[[Desk, ChangesShown], bytes]:
    """The feed of the library's changes, one entry a commit."""
    return lambda desk, shown: form(desk, FeedShown("changes", "changes/", tuple(map(_landed, shown.landed))))


def _landed(item: Landed) -> FeedEntry:
    named = [f"{link.title} ({kind})" for link, kind in item.books]
    named += [f"and {item.more} more"] if item.more else []
    path = f"changes/#c-{item.change.commit[:10]}"
    return FeedEntry(item.change.title, path, zulu(item.change.time), "\n".join(named))
