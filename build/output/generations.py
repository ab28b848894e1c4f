"""The output folder as a link to a generation, so that a new whole site takes the place of the old one at once."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from library.durable import replace_file, sync_folder
from library.problems import UsageError

_KEEP = 2
_MARK = "playbooks-build"
MANIFEST = "manifest.json"


class Generations:
    """The folder `out` is a link to `.out/<number>/public`.

    Beside `public` lies what is not served: the search index and the manifest. A folder `.out` that this build did not
    make is refused, and so is a link that leads elsewhere.
    """

    def __init__(self, out: Path, content: Path) -> None:
        self.out = out.absolute()
        self.store = self.out.parent / f".{self.out.name}"
        if self.out.resolve().is_relative_to(content.resolve()):
            raise UsageError(f"{out} lies in the content; name a place outside of it with --out")
        ours = not self.out.exists()
        if self.out.is_symlink():
            ours = (self.out.parent / self.out.readlink()).parent.parent == self.store
        if self.store.exists() or self.store.is_symlink():
            ours = ours and not self.store.is_symlink() and (self.store / _MARK).is_file()
        if not ours:
            raise UsageError(f"{out} is there and is no output of this build; name another with --out, or move it away")

    @contextmanager
    def alone(self, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
        """One build at a time; a second one says that it waits for the first, and does.

        Raises `UsageError` where nothing can be written.
        """
        lock = FileLock(self.store / "lock")
        try:
            self.store.mkdir(parents=True, exist_ok=True)
            (self.store / _MARK).touch()
            with suppress(Timeout):
                lock.acquire(blocking=False)
        except OSError as error:
            why = f"cannot write to {self.store}: {error.strerror}; name another place with --out"
            raise UsageError(why) from error
        if not lock.is_locked:
            waiting()
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    @property
    def current(self) -> Path | None:
        """The folder of the generation that is served now; None before the first."""
        if not self.out.is_symlink():
            return None
        folder = (self.out.parent / self.out.readlink()).parent
        return folder if (folder / "public").is_dir() else None

    def _numbers(self) -> list[int]:
        names = (item.name for item in self.store.iterdir())
        return sorted(int(name) for name in names if name.isascii() and name.isdigit())

    def fresh(self) -> Path:
        """A new, empty generation."""
        folder = self.store / str(max(self._numbers(), default=0) + 1)
        (folder / "public").mkdir(parents=True)
        return folder

    def publish(self, folder: Path, *, durable: bool = True) -> None:
        """Let `out` lead to this generation, at once; drop generations that nobody can be reading any more.

        Where it is to be `durable`, all of it is on the disk before, and the link after: no power cut can come between.
        """
        if durable:
            os.sync()  # by one call: there are tens of thousands of files
        link = self.store / "link"
        link.unlink(missing_ok=True)
        link.symlink_to(Path(self.store.name) / folder.name / "public")
        link.replace(self.out)
        if durable:
            sync_folder(self.out.parent)
        older = [number for number in self._numbers() if number <= int(folder.name)]
        for number in older[:-_KEEP]:
            shutil.rmtree(self.store / str(number))

    def drop_unpublished(self) -> None:
        """Remove what an unfinished build left behind: generations newer than the one that is served."""
        newest = int(self.current.name) if self.current else 0
        for number in self._numbers():
            if number > newest:
                with suppress(OSError):
                    shutil.rmtree(self.store / str(number))


def write_manifest(folder: Path, digests: Mapping[str, bytes]) -> None:
    """Write beside what is served, in one piece, the SHA-256 of each content file that the site was made from."""
    body = msgspec.json.encode({"content": {file: mark.hex() for file, mark in digests.items()}})
    replace_file(folder / MANIFEST, body)


def manifest_identity(folder: Path) -> tuple[object, ...] | None:
    """What another manifest in this generation, or one of another, differs in; None where there is none."""
    try:
        stat = (folder / MANIFEST).stat()
    except OSError:
        return None
    return folder, stat.st_ino, stat.st_mtime_ns


def manifest_of(folder: Path) -> dict[str, str] | None:
    """The SHA-256, as hex digits, of each content file that a generation was made from; None where it is not whole."""
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=dict[str, dict[str, str]])["content"]
    except (OSError, msgspec.DecodeError):
        return None
