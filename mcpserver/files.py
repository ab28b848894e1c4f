"""The library as a reader of its built files: nothing is read before it is asked for, nothing outside is ever found."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import orjson
from anyio import to_thread

from library.interface.errors import UNAVAILABLE

from .ports import Kind, Record, Refusal

API = "api/v1"
CACHED = 512
"""So many parsed playbooks are kept, the last used ones. Lists are kept all: a long one takes 0.1 s to parse."""

ReadFiles = dict[Path, tuple[int, int, Record]]


class FileReader:
    """Reads a built site behind the link `out`; `search` answers a question by the index of the same build."""

    def __init__(self, out: Path, search: Callable[[Mapping[str, str]], Record]) -> None:
        self.out = out
        self._search = search
        self._books: ReadFiles = {}
        self._lists: ReadFiles = {}

    async def playbook(self, slug: str) -> Record | None:
        """The whole playbook of a slug; None if there is none."""
        found = _json(self.out / API / "playbooks" / f"{slug}.json", self._books)
        if len(self._books) > CACHED:
            del self._books[next(iter(self._books))]
        return found

    async def listed(self, kind: Kind) -> Record:
        """A whole list, as its address answers it."""
        found = _json(self.out / API / f"{kind}.json", self._lists)
        if found is None:
            raise Refusal(UNAVAILABLE, "The library is not built here now.")
        return found

    async def former(self) -> Mapping[str, str]:
        """Former slugs of playbooks, each with the slug that it leads to."""
        found: Mapping[str, str] = (_json(self.out / API / "aliases.json", self._lists) or {}).get("items", {})
        return found

    async def search(self, question: Mapping[str, str]) -> Record:
        """The answer to a question; in a thread, because it reads the index."""
        return await to_thread.run_sync(partial(self._search, question))

    async def markdown(self, slug: str) -> str | None:
        """The markdown twin of a playbook's page."""
        found = _bytes(self.out / "playbooks" / f"{slug}.md")
        return None if found is None else found.decode()

    async def skill(self, slug: str) -> bytes | None:
        """The bytes of a playbook's SKILL.md."""
        return _bytes(self.out / "skills" / slug / "SKILL.md")

    async def script(self, slug: str, name: str) -> bytes | None:
        """The bytes of a script that travels with a playbook's skill."""
        return _bytes(self.out / "skills" / slug / "scripts" / name)


def _json(path: Path, kept: ReadFiles) -> Record | None:
    """A parsed file, parsed once for as long as it stays the same; the last used is the last in `kept`."""
    try:
        stat = path.stat()
        known = kept.pop(path, None)
        if known is None or known[:2] != (stat.st_mtime_ns, stat.st_ino):
            known = (stat.st_mtime_ns, stat.st_ino, orjson.loads(path.read_bytes()))
    except (OSError, ValueError):
        return None
    kept[path] = known
    return known[2]


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
