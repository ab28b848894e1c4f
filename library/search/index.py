"""The index on disk: Whoosh writes it beside the old one, it is moved in whole, and opened only as it was sealed.

`folder/index` is a link to the folder `folder/index-<n>` that is in use.
"""

import hashlib
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from whoosh.codec.whoosh3 import W3Codec, W3Segment
from whoosh.index import Index, create_in, open_dir
from whoosh.qparser import MultifieldParser

from ..problems import LibraryError
from ..records.models import Synonym
from .compact import Compact, compacted
from .documents import TEXTS, VALUES, Document, Indexed, indexed, schema
from .words import ENGLISH, Analyzer

SEAL = "digest"
FORM = b"2"  # of the files; whoever reads another form finds the index unusable, and not empty
MEMORY = 32  # mebibytes, by Whoosh's own reckoning, of postings before they go into a temporary file


class IndexUnusable(LibraryError):
    """There is no index, or it is not one that a build wrote whole."""


class _Codec(W3Codec):  # type: ignore[misc]  # Whoosh ships no types
    """Whoosh's own, but a segment is called by the number of its folder, and not by chance."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def new_segment(self, _storage: object, indexname: str) -> W3Segment:
        return W3Segment(W3Codec(), indexname, segid=str(self._number))


def update_index(
    folder: Path,
    documents: Iterable[Document],
    *,
    gone: Sequence[str] = (),
    fresh: bool = False,
    synonyms: Sequence[Synonym] = (),
    analyzer: Analyzer = ENGLISH,
) -> None:
    """Bring the index in `folder` up to date; a reader sees the old one or the new one, never a half.

    `gone` are ids that have to leave; `fresh` begins anew. `synonyms` say what words of a question mean,
    and the `analyzer` reads all words.
    """
    items, meanings = list(documents), analyzer.meanings_of((item.words, item.mean) for item in synonyms)
    link = folder / "index"
    used = folder / link.readlink() if link.is_symlink() else None
    if used and not fresh and not items and not gone and Compact(used).meanings == meanings:
        return
    number = int(used.name.partition("-")[2]) + 1 if used else 1
    place = folder / f"index-{number}"
    shutil.rmtree(place, ignore_errors=True)  # what a build left that did not end
    place.mkdir()
    if used and not fresh:
        for path in used.glob("*MAIN_*"):  # Whoosh's own, which it never changes
            os.link(path, place / path.name)
        index = open_dir(place)
    else:
        index = create_in(place, schema(analyzer.language))
    _write(index, number, [indexed(item, analyzer) for item in items], gone)
    with index.reader() as reader:
        kept = [msgspec.json.decode(item["kept"]) for item in reader.all_stored_fields()]
    for name, body in compacted(kept, meanings, analyzer).items():
        (place / name).write_bytes(body)
    (place / SEAL).write_text(_digest(place))
    turn = folder / "index.new"
    turn.unlink(missing_ok=True)
    turn.symlink_to(place.name)
    turn.replace(link)
    for path in folder.glob("index-*"):
        if path not in (place, used):  # who opened the last one may still read it
            shutil.rmtree(path)


def _write(index: Index, number: int, items: Sequence[Indexed], gone: Sequence[str]) -> None:
    with index.searcher() as searcher, index.writer(codec=_Codec(number), compound=False, limitmb=MEMORY) as writer:
        for name in (*gone, *(fields["shown"]["id"] for fields in items)):
            writer.delete_by_term("id", name, searcher=searcher)
        for fields in items:
            words = {name: fields[name].split() for name in TEXTS}
            values = {name: fields[name] for name in VALUES}
            writer.add_document(id=fields["shown"]["id"], **words, **values, kept=msgspec.json.encode(fields))


def _digest(place: Path) -> str:
    """The digest of all files and their names, but of what holds it."""
    found = hashlib.sha256(FORM)
    for path in sorted(place.iterdir()):
        if path.name != SEAL:
            with path.open("rb") as file:
                found.update(f"{path.name}:{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return found.hexdigest()


def sealed(folder: Path) -> Path:
    """The folder of the index in use, read whole and found as it was sealed. Raises `IndexUnusable`."""
    link = folder / "index"
    try:
        place = link.resolve(strict=True)
        if (place / SEAL).read_bytes() != _digest(place).encode():
            raise IndexUnusable(f"the search index at {link} is damaged, or of another version; build again")
    except OSError as error:  # a later build may take it away while it is opened
        raise IndexUnusable(f"there is no search index at {link}; build first") from error
    return place


def is_whole(folder: Path) -> bool:
    """Whether the index in `folder` is there and as it was sealed; one that is not is made anew by the next build."""
    try:
        return bool(sealed(folder))
    except IndexUnusable:
        return False


def open_index(folder: Path) -> Index:
    """The index in `folder`. Whoosh unpickles what it reads: only what was sealed is opened. Raises `IndexUnusable`."""
    return open_dir(sealed(folder), readonly=True)


def matching(folder: Path, query: str) -> tuple[list[str], list[str]]:
    """The ids of what fits a query in Whoosh's language, in order, and the words that it looks for in texts.

    Such as `title:flaky AND (category:software OR proven:true)`; a word without a field is looked for in all texts.
    """
    index = open_index(folder)
    parsed = MultifieldParser(TEXTS, index.schema).parse(query)
    words = [str(word) for field, word in parsed.iter_all_terms() if field in TEXTS]
    with index.searcher() as searcher:
        return sorted(searcher.stored_fields(number)["id"] for number in parsed.docs(searcher)), words
