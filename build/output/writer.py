"""Files of the site: a path and its bytes each, written whole or not at all, and never outside the output folder."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from library.problems import LibraryError

_NAME = re.compile(r"(?!\.+(?:/|\Z))[A-Za-z0-9._-]+(?:/(?!\.+(?:/|\Z))[A-Za-z0-9._-]+)*")
"""Parts of plain characters, none of dots alone."""

COMPRESSED = (".gz", ".br")
"""What a file's precompressed forms end on."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file of the site: `path` relative to its top, with forward slashes."""

    path: str
    body: bytes

    @property
    def digest(self) -> bytes:
        """What tells two bodies apart, and what indexes promise of this one: SHA-256, 32 bytes."""
        return hashlib.sha256(self.body).digest()


class PathConflict(LibraryError):
    """Two writers want one path; one of them has to go."""


class UnsafePath(LibraryError):
    """An artifact wanted to leave the output folder."""


def refuse_two_writers(claims: Iterable[tuple[str, str]]) -> None:
    """Raise `PathConflict` when two of the (path, writer) claims are for one path, on any file system.

    Paths that differ only by case are one path too, and so are a file and a folder of one name.
    """
    owner: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path, writer in claims:
        folded = path.casefold()
        if folded in owner:
            raise PathConflict(f"{path} is written twice: by {owner[folded]} and by {writer}")
        owner[folded] = writer
        folder = folded.rpartition("/")[0]
        while folder and folder not in folders:
            folders[folder] = writer
            folder = folder.rpartition("/")[0]
    for folder in folders.keys() & owner.keys():
        raise PathConflict(f"{folder} is a file of {owner[folder]} and a folder of {folders[folder]}")


def write(public: Path, artifacts: Iterable[Artifact], *, served: bool) -> int:
    """Write files: how many there were not.

    In a folder that is `served`, a reader sees each as it was or whole: it is written under another name first.
    """
    added = 0
    for artifact in artifacts:
        path = _inside(public, artifact.path)
        added += not (served and path.exists())
        fresh = path.with_name(f".{path.name}.new") if served else path
        try:
            fresh.write_bytes(artifact.body)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(artifact.body)
        if served:
            fresh.replace(path)
            _drop_forms(path)
    return added


def _drop_forms(path: Path) -> None:
    for suffix in COMPRESSED:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def differing(public: Path, artifacts: Iterable[Artifact]) -> Iterator[Artifact]:
    """Those whose bytes are not in their place yet."""
    for artifact in artifacts:
        path = _inside(public, artifact.path)
        if not path.is_file() or path.read_bytes() != artifact.body:
            yield artifact


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
