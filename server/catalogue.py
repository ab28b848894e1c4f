"""What the built library says of a playbook, for the write API: its version, and whether it was withdrawn."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import orjson

from build.routes import API
from library.fields import SLUG
from library.vocabulary import Status
from writeapi import Known

from .files import Site


class Catalogue:
    """Looks playbooks up in the files of the built site; former slugs lead to the new ones."""

    def __init__(self, out: Path) -> None:
        self.site = Site(out)
        self.folder = out / API[1:] / "playbooks"

    def __call__(self, slug: str) -> Known | None:
        """The playbook of a slug, if the built library has it, or had it under that name."""
        if len(slug) > 64 or not SLUG.fullmatch(slug):
            return None
        slug = self.site.renamed(slug) or slug
        path = self.folder / f"{slug}.json"
        try:
            stat = path.stat()
        except OSError:
            return None
        return _read(path, stat.st_mtime_ns, stat.st_ino)


@lru_cache(maxsize=1024)
def _read(path: Path, _mtime_ns: int, _inode: int) -> Known | None:
    try:
        book = orjson.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return Known(book["slug"], book["version"], book["status"] == Status.WITHDRAWN)
