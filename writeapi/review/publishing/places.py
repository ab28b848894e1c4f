"""The content folder as a place where parcels go: fixed names only, no symbolic link on the way, each file whole."""

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from filelock import lock_descriptor

from library.content.loading import errors_in
from library.problems import UsageError
from library.records.collection import Library
from library.rules import checks
from library.rules.judgment import Trial

from ..services import Shelf
from .parcels import FORMS, Announce, CannotWrite, ChangedSince, Parcel, is_place

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Without waiting: somebody may have put a pipe there."""
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class ContentFolder:
    """A content folder, opened anew for each file, from the top down, so that a link is met and never followed."""

    path: Path

    def read(self, file: str) -> bytes | None:
        """The bytes of a file; None when there is none. Raises `CannotWrite`."""
        try:
            with self._folder(file, make=False) as folder, open(_base(file), "rb", opener=_in(folder, _READ)) as body:
                if not stat.S_ISREG(os.fstat(body.fileno()).st_mode):
                    raise CannotWrite(f"{file} is no ordinary file; move it out of the content")
                return body.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CannotWrite(_why(file, error)) from error

    def write(self, file: str, body: bytes, step: Announce) -> None:
        """Put a file in its place, whole or not at all, and on the disk when this returns. Raises `CannotWrite`."""
        fresh = f".{_base(file)}.new"  # the content is never read from a hidden name
        try:
            with self._folder(file, make=True, step=step) as folder:
                step("opened")
                with suppress(FileNotFoundError):
                    os.unlink(fresh, dir_fd=folder)
                with open(fresh, "wb", opener=_in(folder, _MAKE)) as new:
                    step("made")
                    new.write(body)
                    new.flush()
                    step("wrote")
                    os.fsync(new.fileno())
                step("synced")
                os.rename(fresh, _base(file), src_dir_fd=folder, dst_dir_fd=folder)
                step("renamed")
                os.fsync(folder)
                step("folder-synced")
        except OSError as error:
            with suppress(OSError), self._folder(file, make=False) as folder:
                os.unlink(fresh, dir_fd=folder)
            raise CannotWrite(_why(file, error)) from error

    def remove(self, file: str, step: Announce) -> None:
        """Take a file out; one that is not there is out already. Raises `CannotWrite`."""
        try:
            with self._folder(file, make=False) as folder:
                os.unlink(_base(file), dir_fd=folder)
                step("unlinked")
                os.fsync(folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise CannotWrite(_why(file, error)) from error

    @contextmanager
    def _folder(self, file: str, *, make: bool, step: Announce = lambda _name: None) -> Iterator[int]:
        """The folder that a file lies in, below the content folder. A new one is on the disk before it is used."""
        if not is_place(file):
            raise CannotWrite(f"a name is none that publishing writes; known are {FORMS}")
        above = os.open(self.path, _FOLDER)
        try:
            for name in file.split("/")[:-1]:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(name, 0o777, dir_fd=above)
                        step("folder-made")
                    os.fsync(above)
                    step("parent-synced")
                below = os.open(name, _FOLDER, dir_fd=above)
                os.close(above)
                above = below
            yield above
        finally:
            os.close(above)


def _in(folder: int, flags: int) -> Callable[[str, int], int]:
    """Opens a name in this folder, whatever `open` would do by its mode."""
    return lambda name, _mode: os.open(name, flags, 0o666, dir_fd=folder)


def _base(file: str) -> str:
    return file.rpartition("/")[2]


def _why(file: str, error: OSError) -> str:
    """What kept a file from being read or written, as a sentence with the mend."""
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return f"{file} has a symbolic link or a file where a folder should be on its way; put the folder itself there"
    if error.errno == errno.EISDIR:
        return f"{file} is no ordinary file; move it out of the content"
    return f"{file} cannot be read or written: {error.strerror}; mend that and publish again"


@contextmanager
def alone(content: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """One publisher at a time for a content folder; a second one says that it waits for the first, and does.

    Raises `UsageError` where there is no such folder.
    """
    try:
        folder = os.open(content, _FOLDER)
    except OSError as error:
        link = "is a symbolic link; name the folder itself" if content.is_symlink() else f"({error.strerror})"
        raise UsageError(f"cannot publish to {content}: {link}") from error
    try:
        if not lock_descriptor(folder, blocking=False):
            waiting()
            lock_descriptor(folder)
        yield
    finally:
        os.close(folder)


@dataclass(frozen=True)
class ContentTarget:
    """The content folder: a parcel is there when its files are."""

    folder: ContentFolder
    shelf: Shelf
    kind = "content"

    def library(self) -> Library:
        """The library of today."""
        return self.shelf.library()

    def present(self, file: str) -> bytes | None:
        """The bytes of a file of the folder."""
        return self.folder.read(file)

    def holds(self, subject: str) -> bool:
        """No subject has a place of its own: only files tell."""
        del subject
        return False

    def put(self, parcel: Parcel, tried: Trial, step: Announce) -> str:
        """Write the files that are not there yet."""
        del tried
        for file, body in parcel.files.items():
            if self.present(file) != body:
                self.folder.write(file, body, step)
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
        for problem in errors_in(checks.across(_without(library, there))):
            if problem not in known:
                raise ChangedSince(f"{', '.join(there)}: {problem.file} rests on it; take it back by hand")
        for file in there:
            self.folder.remove(file, step)
        return f"{', '.join(files)} is not in the content any more"


def _without(library: Library, files: list[str]) -> Library:
    gone = set(files)
    kept: dict[str, Any] = {
        kind: {slug: record for slug, record in getattr(library, kind).items() if record.file not in gone}
        for kind in ("playbooks", "lessons", "agents", "tasks")
    }
    runs = {slug: tuple(run for run in found if run.file not in gone) for slug, found in library.runs.items()}
    return replace(library, **kept, runs={slug: found for slug, found in runs.items() if found})
