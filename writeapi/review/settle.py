"""What was accepted becomes published once the built site is made from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from writeapi.store import Conflict, Entry, Store

from .outcomes import Outcome
from .places import is_place


def awaited(store: Store) -> frozenset[str]:
    """The files that accepted submissions wait for."""
    return frozenset(entry.file for _, entries in store.accepted() for entry in entries)


def settle(store: Store, built: Mapping[str, str], site_url: str) -> Iterator[Outcome]:
    """Publish every accepted submission whose files are all written and in the built content.

    `built` has the SHA-256 of each file of the content that the site was made from, empty where it is not known. A new
    file has to be in it; one that replaced another has not to be the replaced one any more: a maintainer may have
    improved it on its way. `site_url` is the address that the site was built for.
    """
    for submission, entries in store.accepted():
        if not entries or not all(_arrived(entry, built) for entry in entries):
            continue
        place = page_of(site_url, entries)
        try:
            store.published(submission.id, submission.version, place)
        except Conflict as error:
            yield Outcome(submission.id, "skipped", f"was decided anew meanwhile: {error}")
        else:
            yield Outcome(submission.id, "published", place)


def page_of(site_url: str, entries: Sequence[Entry]) -> str:
    """The address of the page that the first of these files has."""
    folder, _, name = entries[0].file.partition("/")
    return f"{site_url.rstrip('/')}/{folder}/{name.removesuffix('.yaml')}/"


def _arrived(entry: Entry, built: Mapping[str, str]) -> bool:
    here = built.get(entry.file)
    fresh = here is not None if entry.base is None else bool(here) and here != entry.base
    return entry.state == "written" and is_place(entry.file) and fresh
