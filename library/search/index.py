"""The index on disk: made from documents, changed beside the old one, moved in whole, opened only when its digest fits.

`folder/index` is a link to the folder `folder/index-<n>` that is in use.
"""

import json
import os
import shutil
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from whoosh.codec.whoosh3 import W3Segment
from whoosh.filedb.filestore import FileStorage
from whoosh.index import TOC, FileIndex, Index
from whoosh.index import IndexError as WhooshTrouble
from whoosh.qparser import MultifieldParser
from whoosh.reading import SegmentReader

from ..problems import LibraryError
from ..records.models import Synonym
from .compact import compacted
from .documents import Document
from .fields import FIELDS, TEXTS, schema
from .gathering import Gathered
from .memory import give_back
from .postings import Postings
from .seal import is_as_sealed, is_untouched, seal
from .segments import NAME, number_of, read_lengths, read_table, write_segment
from .synonyms import meanings_of
from .tables import merged

_SYNONYMS = "synonyms.json"

PART = 2_048
"""At most so many documents are gathered in memory before a segment is written."""

SMALL = 256
FEW = 8
"""When more than so many segments hold fewer than `SMALL` documents, or most of what one holds is deleted, they are
written as one."""


class IndexUnusable(LibraryError):
    """There is no index, or it is not one that a build wrote whole."""


class IndexPart(NamedTuple):
    """Documents that one process wrote into the new index: their ids, and their segment."""

    ids: list[str]
    segment: W3Segment


class NewIndex:
    """A new index beside the one in use. Several processes may write parts of it; one finishes it.

    Nothing is on the disk before the first part, and nothing is in use before `finish`.
    """

    def __init__(self, folder: Path, *, fresh: bool = False) -> None:
        self._folder = folder
        self._link = folder / "index"
        self._used = folder / self._link.readlink() if self._link.is_symlink() else None
        self._old = None if fresh else self._used
        number = int(self._used.name.partition("-")[2]) + 1 if self._used else 1
        self.place = folder / f"index-{number}"
        shutil.rmtree(self.place, ignore_errors=True)  # what a draft that was never finished left

    def write(self, documents: Iterable[Document]) -> list[IndexPart]:
        """Write documents as segments; they are not kept in memory."""
        parts = []
        gathered = Gathered()
        for item in documents:
            gathered.add(item)
            if len(gathered.stored) == PART:
                parts.append(self._part(gathered))
                gathered = Gathered()
        return [*parts, self._part(gathered)] if gathered.stored else parts

    def _part(self, gathered: Gathered) -> IndexPart:
        self.place.mkdir(exist_ok=True)
        storage = FileStorage(str(self.place))
        segment = write_segment(storage, gathered.tables(), gathered.lengths(), gathered.stored)
        give_back()
        return IndexPart([str(kept["id"]) for kept in gathered.stored], segment)

    def finish(self, parts: Sequence[IndexPart], *, gone: Sequence[str] = (), synonyms: Sequence[Synonym] = ()) -> None:
        """Seal the parts and what stays of the old index, and move both in. `gone` are ids that have to leave."""
        meant = json.dumps([[item.words, item.mean] for item in synonyms], ensure_ascii=False)
        changed = self._old is None or parts or gone
        if not changed and _read_synonyms(self._link) == meant:
            return
        self.place.mkdir(exist_ok=True)
        kept = self._kept({*gone, *(name for part in parts for name in part.ids)})
        segments = self._few([*kept, *(part.segment for part in parts)])
        TOC(schema(), segments, 1).write(FileStorage(str(self.place)), NAME)
        (self.place / _SYNONYMS).write_text(meant, encoding="utf-8")
        found = Postings(FileIndex(FileStorage(str(self.place), readonly=True)))
        for name, body in compacted(found, meanings_of((item.words, item.mean) for item in synonyms)).items():
            (self.place / name).write_bytes(body)
        seal(self.place, self._old)
        turn = self._folder / "index.new"
        turn.unlink(missing_ok=True)
        turn.symlink_to(self.place.name)
        turn.replace(self._link)
        for path in self._folder.glob("index-*"):
            if path not in (self.place, self._used):
                shutil.rmtree(path)

    def _kept(self, left: Collection[str]) -> list[W3Segment]:
        """The segments of the old index that still hold something, without what has left.

        Their files are links: a segment's file never changes.
        """
        if self._old is None:
            return []
        storage = FileStorage(str(self._old), readonly=True, supports_mmap=False)  # few reads of large files
        segments = []
        for segment in TOC.read(storage, NAME).segments:
            leaf = SegmentReader(storage, schema(), segment)
            for name in left:
                if (number := number_of(leaf, name)) is not None:
                    segment.delete_document(number)
            leaf.close()
            if segment.doc_count():
                segments.append(segment)
                name = segment.make_filename(segment.COMPOUND_EXT)
                os.link(self._old / name, self.place / name)
        return segments

    def _few(self, segments: list[W3Segment]) -> list[W3Segment]:
        """The same documents in fewer segments, where there are many small ones or most of one is deleted."""
        small = [segment for segment in segments if segment.doc_count() < SMALL]
        several = small if len(small) > FEW else []
        hollow = [segment for segment in segments if segment.deleted_count() > segment.doc_count()]
        joined = [segment for segment in segments if segment in several or segment in hollow]
        if not joined:
            return segments
        storage = FileStorage(str(self.place))
        one = _joined(storage, joined)
        for segment in joined:
            storage.delete_file(segment.make_filename(segment.COMPOUND_EXT))
        return [*(segment for segment in segments if segment not in joined), one]


def _joined(storage: FileStorage, segments: Sequence[W3Segment]) -> W3Segment:
    """One segment of what several hold, without what is deleted."""
    leaves = [SegmentReader(storage, schema(), segment) for segment in segments]
    numbers, total = [], 0
    for segment in segments:
        alive = np.array([not segment.is_deleted(at) for at in range(segment.doc_count_all())])
        numbers.append(np.where(alive, total + np.cumsum(alive) - 1, -1).astype(np.int32))
        total += int(alive.sum())
    tables = (
        (field, merged((read_table(leaf, field), new) for leaf, new in zip(leaves, numbers, strict=True)))
        for field in FIELDS
    )
    alive_of = [(read_lengths(leaf), new >= 0) for leaf, new in zip(leaves, numbers, strict=True)]
    lengths = {field: np.concatenate([found[field][alive] for found, alive in alive_of]) for field in TEXTS}
    shown = [
        leaf.stored_fields(at)
        for leaf, new in zip(leaves, numbers, strict=True)
        for at in np.flatnonzero(new >= 0).tolist()
    ]
    one = write_segment(storage, tables, {field: row.astype(np.int64) for field, row in lengths.items()}, shown)
    for leaf in leaves:
        leaf.close()
    return one


def update_index(
    folder: Path,
    documents: Iterable[Document],
    *,
    gone: Sequence[str] = (),
    fresh: bool = False,
    synonyms: Sequence[Synonym] = (),
) -> None:
    """Bring the index in `folder` up to date; a reader sees the old one or the new one, never a half.

    `gone` are ids that have to leave; `fresh` begins anew. `synonyms` say what words of a question mean.
    """
    draft = NewIndex(folder, fresh=fresh)
    draft.finish(draft.write(documents), gone=gone, synonyms=synonyms)


def open_index(folder: Path) -> Index:
    """The index in `folder`. Whoosh unpickles what it reads: only what this build sealed is opened.

    Raises `IndexUnusable`.
    """
    link = folder / "index"
    try:
        place = link.resolve(strict=True)
        if not is_as_sealed(place):
            raise IndexUnusable(f"the search index at {link} is damaged; build again")
        return FileIndex(FileStorage(str(place), readonly=True))
    except (OSError, ValueError, WhooshTrouble) as error:  # a later build may take it away while it is opened
        raise IndexUnusable(f"there is no search index at {link}; build first") from error


def matching(folder: Path, query: str) -> tuple[list[str], list[str]]:
    """The ids of what fits a query in Whoosh's language, in order, and the words that it looks for in texts.

    Such as `title:flaky AND (category:software OR proven:true)`; a word without a field is looked for in all texts.
    """
    index = open_index(folder)
    parsed = MultifieldParser(TEXTS, index.schema).parse(query)
    words = [str(word) for field, word in parsed.iter_all_terms() if field in TEXTS]
    with index.searcher() as searcher:
        return sorted(searcher.stored_fields(number)["id"] for number in parsed.docs(searcher)), words


def is_whole(folder: Path) -> bool:
    """Whether the index in `folder` is there and as it was sealed; one that is not is made anew by the next build.

    Files that nobody touched since are not read again.
    """
    try:
        return is_untouched((folder / "index").resolve(strict=True))
    except (OSError, ValueError):
        return False


def _read_synonyms(place: Path) -> str:
    try:
        return (place / _SYNONYMS).read_text(encoding="utf-8")
    except OSError:
        return ""
