"""The content folder as a place where parcels go."""

from collections.abc import Mapping
from dataclasses import replace

from library.content.loading import errors_in
from library.records.collection import Library
from library.rules import checks
from library.rules.judgment import Trial

from ..services import Shelf
from .parcels import Parcel
from .places import Announce, ChangedSince, ContentFolder


class ContentTarget:
    """The content folder: a parcel is there when its files are."""

    kind = "content"

    def __init__(self, folder: ContentFolder, shelf: Shelf) -> None:
        self._folder = folder
        self._shelf = shelf

    def library(self) -> Library:
        """The library of today."""
        return self._shelf.library()

    def present(self, file: str) -> bytes | None:
        """The bytes of a file of the folder."""
        return self._folder.read(file)

    def holds(self, subject: str) -> bool:
        """No subject has a place of its own: only files tell."""
        del subject
        return False

    def put(self, parcel: Parcel, tried: Trial, step: Announce) -> str:
        """Write the files that are not there yet."""
        del tried
        for file, body in parcel.files.items():
            if self.present(file) != body:
                self._folder.write(file, body, step)
        return self.kind

    def remove(self, subject: str, files: Mapping[str, bytes], dates: frozenset[str], step: Announce) -> str:
        """Remove the files, unless one was changed since, or something else rests on them."""
        del subject, dates
        here = {file: self.present(file) for file in files}
        for file, body in files.items():
            if here[file] not in (None, body):
                raise ChangedSince(f"{file} was changed since; take it back by hand")
        there = [file for file, body in here.items() if body is not None]
        library = self.library()
        known = set(checks.across(library))
        for problem in errors_in(checks.across(without(library, there))):
            if problem not in known:
                raise ChangedSince(f"{', '.join(there)}: {problem.file} rests on it; take it back by hand")
        for file in there:
            self._folder.remove(file, step)
        return f"{', '.join(files)} is not in the content any more"


def without(library: Library, files: list[str]) -> Library:
    """The library without the records of these files."""
    gone = set(files)
    runs = {slug: tuple(run for run in found if run.file not in gone) for slug, found in library.runs.items()}
    return replace(
        library,
        playbooks={slug: book for slug, book in library.playbooks.items() if book.file not in gone},
        lessons={slug: lesson for slug, lesson in library.lessons.items() if lesson.file not in gone},
        agents={slug: agent for slug, agent in library.agents.items() if agent.file not in gone},
        tasks={slug: task for slug, task in library.tasks.items() if task.file not in gone},
        runs={slug: found for slug, found in runs.items() if found},
    )
