"""The index on disk: made from documents, changed beside the old one, moved in whole, opened only when its digest fits.

`folder/index` is a link to the folder `folder/index-<n>` that is in use.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from whoosh.analysis import SimpleAnalyzer, StemmingAnalyzer
from whoosh.fields import ID, KEYWORD, STORED, TEXT, Schema
from whoosh.filedb.filestore import FileStorage
from whoosh.index import Index

from ..problems import LibraryError
from ..vocabulary import Trust
from .documents import Document

_SEAL = "digest"
ANALYZER = StemmingAnalyzer()
_PLAIN = SimpleAnalyzer()


class IndexUnusable(LibraryError):
    """There is no index, or it is not one that a build wrote whole."""


def schema() -> Schema:
    """What Whoosh keeps of a document.

    No positions, which cost more than they bring; `words` are unstemmed, to suggest from.
    """
    text = {"analyzer": ANALYZER, "phrase": False, "spelling": False}
    return Schema(
        id=ID(unique=True, stored=True),
        type=ID(stored=True),
        title=TEXT(stored=True, **text),
        summary=TEXT(stored=True, **text),
        body=TEXT(**text),
        category=ID(stored=True),
        words=TEXT(analyzer=_PLAIN, phrase=False),
        agent=KEYWORD(commas=True),
        trust=ID(stored=True),
        url=STORED(),
        agents=STORED(),
        status=STORED(),
    )


def update_index(folder: Path, documents: Collection[Document], *, gone: Sequence[str], fresh: bool) -> None:
    """Bring the index in `folder` up to date; a reader sees the old one or the new one, never a half.

    `gone` are ids that have to leave; `fresh` begins anew.
    """
    link = folder / "index"
    if not fresh and not documents and not gone and link.exists():
        return
    used = folder / link.readlink() if link.is_symlink() else None
    old = None if fresh else used
    number = int(used.name.partition("-")[2]) + 1 if used else 1
    new = folder / f"index-{number}"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    for path in old.iterdir() if old else ():
        if path.name != _SEAL:
            os.link(
                path, new / path.name
            )  # Whoosh never changes a segment's file; it writes others and drops these names
    storage = FileStorage(str(new))
    _fill(storage.open_index() if old else storage.create_index(schema()), documents, gone, fresh=old is None)
    (new / _SEAL).write_text(_digest(new), encoding="ascii")
    turn = folder / "index.new"
    turn.unlink(missing_ok=True)
    turn.symlink_to(new.name)
    turn.replace(link)
    for path in folder.glob("index-*"):
        if path not in (new, used):
            shutil.rmtree(path)


def _fill(index: Index, documents: Iterable[Document], gone: Iterable[str], *, fresh: bool) -> None:
    writer = index.writer()
    for name in gone:
        writer.delete_by_term("id", name)
    put = writer.add_document if fresh else writer.update_document
    for item in documents:
        put(
            id=item.id,
            type=str(item.type),
            title=item.title,
            summary=item.summary,
            body="\n".join([item.body, *item.names]),
            words=f"{item.title} {item.summary}",
            category=item.category,
            agent=",".join(item.agents),
            trust=str(item.trust) if item.trust else None,
            url=item.url,
            agents=list(item.agents),
            status=str(item.status),
        )
    writer.commit()
    index.close()


def open_index(folder: Path) -> Index:
    """The index in `folder`. Whoosh unpickles its table of contents: only what this build sealed is opened.

    Raises `IndexUnusable`.
    """
    link = folder / "index"
    try:
        place = link.resolve(strict=True)
        if (place / _SEAL).read_text(encoding="ascii") != _digest(place):
            raise IndexUnusable(f"the search index at {link} is damaged; build again")
    except (OSError, UnicodeDecodeError) as error:
        raise IndexUnusable(f"there is no search index at {link}; build first") from error
    return FileStorage(str(place), readonly=True).open_index()


def _digest(place: Path) -> str:
    found = hashlib.blake2b(digest_size=16)
    for path in sorted(place.iterdir()):
        if path.name not in (_SEAL, "MAIN_WRITELOCK"):
            found.update(path.name.encode() + b"\0")
            with path.open("rb") as file:
                found.update(hashlib.file_digest(file, "blake2b").digest())
    return found.hexdigest()


def trust_at_or_above(floor: Trust) -> list[str]:
    """The levels that reach a floor."""
    return [str(level) for level in Trust if level.reaches(floor)]
