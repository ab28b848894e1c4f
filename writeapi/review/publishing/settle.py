"""What was accepted becomes published once the built site is made from it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from library.records.vocabulary import OutboxState, SubmissionState
from writeapi.store import PUBLISHER, Conflict, OutboxEntry, Store

from ..decisions.texts import digest
from .places import is_place
from .publish import DecisionResult, PublishResult

_Found = Literal["arrived", "otherwise", "not yet"]
OTHERWISE = "its file changed otherwise; merge its branch, or send it back"


def awaited(store: Store) -> frozenset[str]:
    """The files that accepted submissions wait for."""
    return frozenset(entry.file for _, entries in store.accepted() for entry in entries)


def settle(
    store: Store, built: Mapping[str, str], site_url: str, merged: Callable[[OutboxEntry], bool] = lambda _entry: False
) -> Iterator[DecisionResult]:
    """Publish every accepted submission whose files are all written and in the built content.

    `built` has the SHA-256 of each file of the content that the site was made from, empty where it is not known. A new
    file has to be in it. One that replaced another has to be what was sent, or what a later decision made of that;
    else, where it was written into the folder, it has not to be the replaced one any more, and where it was put on a
    branch, `merged` says whether that is merged: a maintainer may have improved it. `site_url` is the address that the
    site was built for.
    """
    written = store.outbox(OutboxState.WRITTEN)
    for submission, entries in store.accepted():
        found = {_arrived(entry, built, written, merged) for entry in entries}
        if "otherwise" in found and "not yet" not in found:
            yield DecisionResult(submission.id, PublishResult.WAITING, OTHERWISE)
        if found != {"arrived"}:
            continue
        place = page_of(site_url, entries)
        try:
            store.move(submission.id, SubmissionState.PUBLISHED, version=submission.version, by=PUBLISHER, place=place)
        except Conflict as error:
            yield DecisionResult(submission.id, PublishResult.SKIPPED, f"was decided anew meanwhile: {error}")
        else:
            yield DecisionResult(submission.id, PublishResult.PUBLISHED, place)


def page_of(site_url: str, entries: Sequence[OutboxEntry]) -> str:
    """The address of the page that the first of these files has."""
    folder, _, name = entries[0].file.partition("/")
    return f"{site_url.rstrip('/')}/{folder}/{name.removesuffix('.yaml')}/"


def _arrived(
    entry: OutboxEntry, built: Mapping[str, str], written: Sequence[OutboxEntry], merged: Callable[[OutboxEntry], bool]
) -> _Found:
    """Whether an entry is in the built content, or its file changed there and this change is not in it."""
    here = built.get(entry.file)
    if entry.state is not OutboxState.WRITTEN or not is_place(entry.file) or here is None:
        return "not yet"
    if entry.base is None or here in _made_of(entry, written):
        return "arrived"
    if not here or here == entry.base:
        return "not yet"
    on_branch = (entry.went or "").startswith("branch accepted/")
    return "arrived" if not on_branch or merged(entry) else "otherwise"


def _made_of(entry: OutboxEntry, written: Sequence[OutboxEntry]) -> frozenset[str]:
    """The SHA-256 of what was sent, and of what later decisions made of it, one on the other."""
    known = {digest(entry.text or "")}
    for later in written:  # in the order of the decisions
        if later.file == entry.file and later.id > entry.id and later.base in known:
            known.add(digest(later.text or ""))
    return frozenset(known)
