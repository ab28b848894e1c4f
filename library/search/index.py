"""The index on disk: made from documents, changed beside the old one, moved in whole, opened only when its digest fits.

`folder/index` is a link to the folder `folder/index-<n>` that is in use.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from whoosh.filedb.filestore import FileStorage
from whoosh.index import Index
from whoosh.index import IndexError as WhooshTrouble

from ..models import Synonym
from ..problems import LibraryError
from .documents import Document
from .fields import schema
from .synonyms import Meanings
from .words import normalised

_SEAL = "digest"
_SYNONYMS = "synonyms.json"
WRITER_MEGABYTES = 256
"""How much memory Whoosh may take before it writes a part of its work to the disk."""


class IndexUnusable(LibraryError):
    """There is no index, or it is not one that a build wrote whole."""


def update_index(
    folder: Path,
    documents: Collection[Document],
    *,
    gone: Sequence[str] = (),
    fresh: bool = False,
    synonyms: Sequence[Synonym] = (),
) -> None:
    """Bring the index in `folder` up to date; a reader sees the old one or the new one, never a half.

    `gone` are ids that have to leave; `fresh` begins anew. `synonyms` say what words of a question mean.
    """
    link = folder / "index"
    meant = json.dumps([[item.words, item.mean] for item in synonyms], ensure_ascii=False)
    if not fresh and not documents and not gone and link.exists() and _read_synonyms(link) == meant:
        return
    used = folder / link.readlink() if link.is_symlink() else None
    old = None if fresh else used
    new = _beside(folder, used, old)
    storage = FileStorage(str(new))
    _fill(storage.open_index() if old else storage.create_index(schema()), documents, gone, fresh=old is None)
    (new / _SYNONYMS).unlink(missing_ok=True)
    (new / _SYNONYMS).write_text(meant, encoding="utf-8")
    _seal(new, old)
    turn = folder / "index.new"
    turn.unlink(missing_ok=True)
    turn.symlink_to(new.name)
    turn.replace(link)
    for path in folder.glob("index-*"):
        if path not in (new, used):
            shutil.rmtree(path)


def _beside(folder: Path, used: Path | None, old: Path | None) -> Path:
    """A new folder, with the files of the old index in it.

    They are links: Whoosh never changes a segment's file; it writes others and drops these names.
    """
    number = int(used.name.partition("-")[2]) + 1 if used else 1
    new = folder / f"index-{number}"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    for path in old.iterdir() if old else ():
        if path.name != _SEAL:
            os.link(path, new / path.name)
    return new


def _fill(index: Index, documents: Iterable[Document], gone: Iterable[str], *, fresh: bool) -> None:
    writer = index.writer(limitmb=WRITER_MEGABYTES)
    for name in gone:
        writer.delete_by_term("id", name)
    put = writer.add_document if fresh else writer.update_document
    for item in documents:
        put(**_fields(item))
    writer.commit()
    index.close()


def _fields(item: Document) -> dict[str, object]:
    """What Whoosh is given of a document."""
    names = {normalised(item.title), normalised(item.slug), *map(normalised, item.former)} - {""}
    return {
        "id": item.id,
        "title": item.title,
        "asked": "\n".join(item.asked),
        "summary": item.summary,
        "body": "\n".join([item.body, *item.names]),
        "spelt": "\n".join([item.title, item.summary, item.body, *item.names, *item.asked]),
        "named": ",".join(sorted(names)),
        "job": normalised(item.job) or None,
        "type": str(item.type),
        "category": item.category,
        "agent": ",".join(item.agents),
        "trust": str(item.trust) if item.trust else None,
        "status": str(item.status),
        "shown": {
            "title": item.title,
            "summary": item.summary,
            "url": item.url,
            "trust": str(item.trust) if item.trust else None,
            "category": item.category,
            "agents": list(item.agents),
            "status": str(item.status),
        },
    }


def open_index(folder: Path) -> Index:
    """The index in `folder`. Whoosh unpickles what it reads: only what this build sealed is opened.

    Raises `IndexUnusable`.
    """
    link = folder / "index"
    try:
        place = link.resolve(strict=True)
        sealed = json.loads((place / _SEAL).read_bytes())
        if sealed != {path.name: _digest(path) for path in _files(place)}:
            raise IndexUnusable(f"the search index at {link} is damaged; build again")
        return FileStorage(str(place), readonly=True).open_index()
    except (OSError, ValueError, WhooshTrouble) as error:  # a later build may take it away while it is opened
        raise IndexUnusable(f"there is no search index at {link}; build first") from error


def is_whole(folder: Path) -> bool:
    """Whether the index in `folder` is there and as it was sealed; one that is not is made anew by the next build."""
    try:
        open_index(folder).close()
    except IndexUnusable:
        return False
    return True


def synonyms_of(folder: Path) -> Meanings:
    """The synonyms that were sealed with the index in `folder`."""
    return Meanings(json.loads(_read_synonyms(folder / "index") or "[]"))


def _read_synonyms(place: Path) -> str:
    try:
        return (place / _SYNONYMS).read_text(encoding="utf-8")
    except OSError:
        return ""


def _seal(place: Path, old: Path | None) -> None:
    """Write the digest of every file; one that is the old index's very file is not read again."""
    known: dict[str, str] = json.loads((old / _SEAL).read_bytes()) if old else {}
    seal = {
        path.name: known[path.name] if old and path.name in known and path.samefile(old / path.name) else _digest(path)
        for path in _files(place)
    }
    (place / _SEAL).write_text(json.dumps(seal), encoding="ascii")


def _files(place: Path) -> list[Path]:
    return sorted(path for path in place.iterdir() if path.name not in (_SEAL, "MAIN_WRITELOCK"))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()[:32]
