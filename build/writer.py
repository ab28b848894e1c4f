"""Files of the site, and the generations behind its link.

Files are written whole or not at all, only when they differ, and never outside the output folder.
"""

from __future__ import annotations

import fcntl
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from library.problems import LibraryError, UsageError

from .artifacts import Artifact

_PART = re.compile(r"[A-Za-z0-9._-]+")
_KEEP = 2


class UnsafePath(LibraryError):
    """An artifact wanted to leave the output folder."""


class Generations:
    """The output folder `out`: a link to `.out/<number>/public`.

    So a new whole site takes the place of the old one at once. Beside `public` lies what is not served: the search
    index and the state.
    """

    def __init__(self, out: Path) -> None:
        self.out = out.absolute()
        self.store = self.out.parent / f".{self.out.name}"
        if self.out.exists() and not self.out.is_symlink():
            raise UsageError(f"{out} is there and is no output of this build; name another with --out, or move it away")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """One build at a time; a second one waits for the first."""
        self.store.mkdir(parents=True, exist_ok=True)
        with (self.store / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @property
    def current(self) -> Path | None:
        """The folder of the generation that is served now; None before the first, and when the link leads elsewhere."""
        if not self.out.is_symlink():
            return None
        folder = (self.out.parent / self.out.readlink()).parent
        return folder if folder.parent == self.store and (folder / "public").is_dir() else None

    def fresh(self) -> Path:
        """A new, empty generation."""
        numbers = [int(item.name) for item in self.store.iterdir() if item.name.isdigit()]
        folder = self.store / str(max(numbers, default=0) + 1)
        (folder / "public").mkdir(parents=True)
        return folder

    def publish(self, folder: Path) -> None:
        """Let `out` lead to this generation, at once; drop generations that nobody can be reading any more."""
        link = self.store / "link"
        link.unlink(missing_ok=True)
        link.symlink_to(Path(self.store.name) / folder.name / "public")
        link.replace(self.out)
        numbers = sorted((int(item.name) for item in self.store.iterdir() if item.name.isdigit()), reverse=True)
        for number in [number for number in numbers if number <= int(folder.name)][_KEEP:]:
            shutil.rmtree(self.store / str(number))

    def drop_unpublished(self, current: Path | None) -> None:
        """Remove what a killed build left behind: generations newer than the one that is served."""
        newest = int(current.name) if current else 0
        for item in self.store.iterdir():
            if item.name.isdigit() and int(item.name) > newest:
                shutil.rmtree(item)


def write(public: Path, artifacts: Iterable[Artifact], *, served: bool) -> None:
    """Write files.

    In a folder that is `served`, a reader sees each as it was or whole: it is written under another name first.
    """
    made: set[Path] = set()
    for artifact in artifacts:
        path = _inside(public, artifact.path)
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        target = path.with_name(f".{path.name}.new") if served else path
        target.write_bytes(artifact.body)
        if served:
            target.replace(path)


def remove(public: Path, paths: Iterable[str]) -> None:
    """Remove files, and the folders that they leave empty."""
    for name in paths:
        path = _inside(public, name)
        path.unlink(missing_ok=True)
        for folder in path.parents:
            if folder == public:
                break
            try:
                folder.rmdir()
            except OSError:
                break


def _inside(public: Path, name: str) -> Path:
    """The place of an artifact, which is always below `public`."""
    parts = name.split("/")
    if not all(_PART.fullmatch(part) and part.strip(".") for part in parts):
        raise UnsafePath(f"the path {name!r} is not one that the build writes")
    return public.joinpath(*parts)
