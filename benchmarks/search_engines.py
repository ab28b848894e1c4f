"""Our own search as it is measured beside peers: ranking alone, and the whole answer, each with both profiles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.search_peers import COUNT, Ranked
from library.records.vocabulary import Profile
from library.search.documents import Document
from library.search.index import update_index
from library.search.query import Question, SearchEngine


class Ours:
    """The engine of `GET /search`. `top` ranks, as a peer does; `whole` answers with all that a page needs."""

    slug = "ours"

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.name = f"ours, {profile}"
        self.engine: SearchEngine

    def build(self, folder: Path, documents: Sequence[Document]) -> None:
        """Sealed and moved in, as a build of the site does it."""
        update_index(folder, documents, fresh=True)

    def open(self, folder: Path) -> None:
        """The digests looked at, nothing decoded yet."""
        self._folder = folder
        self.engine = SearchEngine(folder)

    def top(self, text: str) -> Ranked:
        """The question read, misspellings and all; scores; the ten best in the order in which they are shown."""
        return self.engine.ranked(Question(text, profile=self.profile, limit=COUNT))

    def whole(self, text: str) -> Ranked:
        """The ten best of an answer that was made whole: totals, facets, hits with highlights, a suggestion."""
        answer = self.engine.answer(Question(text, profile=self.profile, limit=COUNT))
        return [(f"{hit.type}/{hit.slug}", hit.score) for hit in answer.items]

    def change(self, document: Document) -> None:
        """The index changed beside the old one, sealed and moved in; opened anew."""
        self.update(document)
        self.engine = SearchEngine(self._folder)

    def update(self, document: Document) -> None:
        """The index changed and sealed, as a build of the site does it."""
        update_index(self._folder, [document])


def both() -> tuple[Ours, Ours]:
    """One for each profile; they may share a folder."""
    return Ours(Profile.FAST), Ours(Profile.BEST)
