"""Whole-library files, for release builds only: they are large, and change with every edit."""

from pathlib import Path

from library.records.collection import Library
from library.records.vocabulary import Status

from ..output.artifacts import Artifact
from ..output.writer import write

FULL = "api/v1/playbooks/full.json"
LLMS_FULL = "llms-full.txt"


def write_bulk(public: Path, library: Library, *, served: bool) -> int:
    """Write the whole-library files, joined from the files that were written: all playbooks as JSON and as markdown.

    Withdrawn playbooks are tombstones in the first and are left out of the second. Returns the
    number of files that were others than before.
    """
    folder = public / "api/v1/playbooks"
    items = b",".join((folder / f"{book.slug}.json").read_bytes() for book in library.listed)
    full = Artifact(FULL, b'{"total":%d,"items":[%b]}' % (len(library.listed), items))
    offered = (book.slug for book in library.listed if book.status is not Status.WITHDRAWN)
    texts = [(public / "playbooks" / f"{slug}.md").read_bytes() for slug in offered]
    texts += [(public / "lessons" / f"{slug}.md").read_bytes() for slug in sorted(library.lessons)]
    made = (full, Artifact(LLMS_FULL, b"\n".join(texts)))
    fresh = [item for item in made if not _is_there(public / item.path, item.body)]
    write(public, fresh, served=served)
    return len(fresh)


def _is_there(path: Path, body: bytes) -> bool:
    return path.is_file() and path.stat().st_size == len(body) and path.read_bytes() == body
