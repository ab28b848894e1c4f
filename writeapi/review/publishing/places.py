"""The content folder as publishing may touch it: fixed names only, no symbolic link on the way, each file whole."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import lock_descriptor

from library.problems import LibraryError, UsageError
from library.records.fields import SLUG
from library.records.naming import MAX_SLUG, is_device, name_problem
from writeapi.keys import is_id

FORMS = "playbooks|lessons|tasks|agents/<slug>.yaml or runs/<slug>/<id>.yaml"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Without waiting: somebody may have put a pipe there."""
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

Announce = Callable[[str], None]
"""Told the name of each point at which publishing may be cut off; tests cut it off there."""


class CannotWrite(LibraryError):
    """A file or a branch cannot be written or read now; the text says why. What was decided stays waiting."""


class ChangedSince(LibraryError):
    """What was written is not there any more as it was written; only a person can take it back."""


def is_place(file: str) -> bool:
    """Whether a name has one of the forms that publishing writes; every other is refused, whoever decided it."""
    top, *inner = file.split("/")
    if top != "runs" or len(inner) != 2:
        return name_problem(file) is None
    book, name = inner
    slug = len(book) <= MAX_SLUG and SLUG.fullmatch(book) and not is_device(book)
    return bool(slug) and name.endswith(".yaml") and is_id(name.removesuffix(".yaml"))


class ContentFolder:
    """A content folder, opened anew for each file, from the top down, so that a link is met and never followed."""

    def __init__(self, path: Path) -> None:
        self.path = path

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
        fresh = _fresh(file)
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
            self._forget(file)
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

    def _forget(self, file: str) -> None:
        """Drop what an unfinished write left beside the file."""
        with suppress(OSError), self._folder(file, make=False) as folder:
            os.unlink(_fresh(file), dir_fd=folder)

    @contextmanager
    def _folder(self, file: str, *, make: bool, step: Announce = lambda _name: None) -> Iterator[int]:
        """The folder that a file lies in, below the content folder. A new one is on the disk before it is used."""
        if not is_place(file):
            raise CannotWrite(f"a name is none that publishing writes; known are {FORMS}")
        above = os.open(self.path, _FOLDER)
        try:
            for name in file.split("/")[:-1]:
                if make:
                    _make_folder(name, above, step)
                below = os.open(name, _FOLDER, dir_fd=above)
                os.close(above)
                above = below
            yield above
        finally:
            os.close(above)


def _make_folder(name: str, above: int, step: Announce) -> None:
    with suppress(FileExistsError):
        os.mkdir(name, 0o777, dir_fd=above)
        step("folder-made")
    os.fsync(above)
    step("parent-synced")


def _in(folder: int, flags: int) -> Callable[[str, int], int]:
    """Opens a name in this folder, whatever `open` would do by its mode."""
    return lambda name, _mode: os.open(name, flags, 0o666, dir_fd=folder)


def _base(file: str) -> str:
    return file.rpartition("/")[2]


def _fresh(file: str) -> str:
    """The name under which a file is written first; the content is never read from a hidden name."""
    return f".{_base(file)}.new"


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
