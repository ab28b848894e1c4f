"""Files of the site: a path and its bytes each, written whole or not at all, and never outside the output folder."""

import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from library.problems import LibraryError

_NAME = re.compile(r"(?!\.+(?:/|\Z))[A-Za-z0-9._-]+(?:/(?!\.+(?:/|\Z))[A-Za-z0-9._-]+)*")
"""Parts of plain characters, none of dots alone."""
COMPRESSED = (".gz", ".br")  # what a file's precompressed forms end on


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file of the site: `path` relative to its top, with forward slashes."""

    path: str
    body: bytes

    @property
    def digest(self) -> bytes:
        """What tells two bodies apart, and what indexes promise of this one: SHA-256, 32 bytes."""
        return hashlib.sha256(self.body).digest()


class UnsafePath(LibraryError):
    """An artifact wanted to leave the output folder."""


def write(public: Path, artifact: Artifact) -> bool:
    """Write a file whose bytes are not in its place yet; whether it had to be.

    Readers see it as it was or whole: it is written under another name first.
    """
    path = _inside(public, artifact.path)
    there = path.is_file()
    if there and path.read_bytes() == artifact.body:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_bytes(artifact.body)
    fresh.replace(path)
    if there:
        _drop_forms(path)
    return True


def _drop_forms(path: Path) -> None:
    for suffix in COMPRESSED:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def remove(public: Path, paths: Iterable[str]) -> int:
    """Remove files, and the folders that they leave empty: how many there were."""
    removed = 0
    for name in paths:
        path = _inside(public, name)
        if not path.exists():
            continue
        path.unlink()
        removed += 1
        _drop_forms(path)
        with suppress(OSError):  # ends at the first that holds something
            for folder in [*path.relative_to(public).parents][:-1]:
                (public / folder).rmdir()
    return removed


def _inside(public: Path, name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise UnsafePath(f"the path {name!r} is not one that the build writes")
    return public / name
