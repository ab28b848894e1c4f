"""What the built site is made from, as its own state says: for what waits until it is in there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from build.artifacts import digest
from build.cache import State, load
from library.loading import some_bytes
from writeapi.review.outcomes import Outcome
from writeapi.review.settle import awaited, settle
from writeapi.store import Store

from .wsgi import built_for


def settled(store: Store, content: Path, out: Path, site_url: str | None = None) -> Iterator[Outcome]:
    """Publish what was accepted and is in the site behind `out`; nothing where no site was built.

    `site_url` takes the place of the address that the site was built for.
    """
    state = _state(out)
    files = awaited(store) if state else frozenset()
    if state and files:
        built = built_files(state, content, files)
        yield from settle(store, built, site_url or built_for(out.absolute()))


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
