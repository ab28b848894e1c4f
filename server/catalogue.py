"""What the built library says: of a playbook, for the write API; what agents and categories are called, for pages."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import orjson

from build.views.page_contexts import Names
from build.views.routes import API
from library.records.fields import SLUG
from library.records.vocabulary import Status
from writeapi.services import KnownPlaybook

from .files import SiteFiles


class Catalogue:
    """Looks playbooks up in the files of the built site; former slugs lead to the new ones."""

    def __init__(self, out: Path) -> None:
        self.site = SiteFiles(out)
        self.folder = out / API[1:] / "playbooks"

    def __call__(self, slug: str) -> KnownPlaybook | None:
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


class DisplayNames:
    """What the built library calls its agents and categories; nothing of what cannot be read."""

    def __init__(self, out: Path) -> None:
        self.folder = out / API[1:]

    def __call__(self) -> Names:
        """The names, as the site has them now."""
        return Names(self._of("agents.json", "items"), self._of("tasks.json", "categories"))

    def _of(self, file: str, field: str) -> Mapping[str, str]:
        path = self.folder / file
        try:
            stat = path.stat()
            return _names(path, field, stat.st_mtime_ns, stat.st_ino)
        except (OSError, ValueError):
            return {}


@lru_cache(maxsize=8)
def _names(path: Path, field: str, _mtime_ns: int, _inode: int) -> Mapping[str, str]:
    return {item["slug"]: item["name"] for item in orjson.loads(path.read_bytes())[field]}


@lru_cache(maxsize=1024)
def _read(path: Path, _mtime_ns: int, _inode: int) -> KnownPlaybook | None:
    try:
        book = orjson.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return KnownPlaybook(book["slug"], book["version"], book["status"] == Status.WITHDRAWN)
