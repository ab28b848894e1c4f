"""What the built site is made from, as its own state says: for what waits until it is in there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from build.artifacts import digest
from build.cache import State, load
from library.loading import some_bytes
from writeapi.review.gitrepo import Git
from writeapi.review.merged import is_merged
from writeapi.review.outcomes import DecisionResult
from writeapi.review.places import CannotWrite
from writeapi.review.settle import awaited, settle
from writeapi.store import OutboxEntry, Store

from .wsgi import built_for


def settled(
    store: Store, content: Path, out: Path, environment: Mapping[str, str], site_url: str | None = None
) -> Iterator[DecisionResult]:
    """Publish what was accepted and is in the site behind `out`; nothing where no site was built.

    `environment` is that of git; `site_url` takes the place of the address that the site was built for.
    """
    state = _state(out)
    files = awaited(store) if state else frozenset()
    if state and files:
        built = built_files(state, content, files)
        merged = _merges(content, environment)
        yield from settle(store, built, site_url or built_for(out.absolute()), merged)


def is_built(out: Path) -> bool:
    """Whether there is a site behind `out` that was built to its end."""
    return _state(out) is not None


def _merges(content: Path, environment: Mapping[str, str]) -> Callable[[OutboxEntry], bool]:
    """Says of a change on a branch whether it is merged; no, where the content is in no repository that can be asked.

    It is asked only of files that are as they were when the site was built.
    """

    @cache
    def repository() -> Git | None:
        try:
            return Git(content, environment)
        except CannotWrite:
            return None

    def merged(entry: OutboxEntry) -> bool:
        git = repository()
        try:
            return git is not None and is_merged(git, entry, some_bytes(content / entry.file))
        except (CannotWrite, OSError):
            return False

    return merged


def built_files(state: State, content: Path, files: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each of these files that the site was made from.

    The state knows files by another digest: of one that was changed after the build only is known that it was there,
    and its SHA-256 is empty here.
    """
    found: dict[str, str] = {}
    for file in files:
        source = state.sources.get(file)
        if source is None:
            continue
        try:
            body = some_bytes(content / file)
        except OSError:
            body = b""
        found[file] = hashlib.sha256(body).hexdigest() if digest(body) == source.digest else ""
    return found


def _state(out: Path) -> State | None:
    """What the build of the site that is served now knew; None for none, or one that was cut short."""
    folder = out.absolute().resolve().parent
    return None if (folder / "unfinished").exists() else load(folder / "state")
