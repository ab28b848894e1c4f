"""What the built site is made from, as its manifest says: for what waits until it is in there."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from build.output.generations import Manifest, manifest_of
from library.content.git import Git, GitError
from library.content.loading import some_bytes
from writeapi.review.publishing.publish import DecisionResult, awaited, is_merged, settle
from writeapi.store import Store
from writeapi.store.records import OutboxEntry

from .environment import site_url_of


def settled(
    store: Store, content: Path, out: Path, environment: Mapping[str, str], site_url: str | None = None
) -> Iterator[DecisionResult]:
    """Publish what was accepted and is in the site behind `out`; nothing where no site was built.

    `environment` is that of git; `site_url` takes the place of the address that the site was built for.
    """
    manifest = _manifest(out)
    files = awaited(store) if manifest else frozenset()
    if manifest and files:
        built = {file: _still(content / file, mark) for file, mark in manifest.content.items() if file in files}
        merged = _merges(content, environment)
        yield from settle(store, built, site_url or site_url_of(out.absolute()), merged)


def is_built(out: Path) -> bool:
    """Whether there is a site behind `out` that was built to its end."""
    return _manifest(out) is not None


def _merges(content: Path, environment: Mapping[str, str]) -> Callable[[OutboxEntry], bool]:
    """Says of a change on a branch whether it is merged; no, where the content is in no repository that can be asked.

    It is asked only of files that are as they were when the site was built.
    """

    @cache
    def repository() -> Git | None:
        try:
            return Git(content, environment)
        except GitError:
            return None

    def merged(entry: OutboxEntry) -> bool:
        git = repository()
        try:
            return git is not None and is_merged(git, entry, some_bytes(content / entry.file))
        except (GitError, OSError):
            return False

    return merged


def _still(path: Path, built: str) -> str:
    """The SHA-256 of a file as the site was made from it; empty where it was changed since."""
    try:
        return built if hashlib.sha256(some_bytes(path)).hexdigest() == built else ""
    except OSError:
        return ""


def _manifest(out: Path) -> Manifest | None:
    """What the site that is served now was made from; None for none, or one that was cut short."""
    return manifest_of(out.absolute().resolve().parent)
