"""An artifact is a path and its bytes; no two writers may want one path."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from library.problems import LibraryError


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file of the site: `path` relative to its top, with forward slashes."""

    path: str
    body: bytes

    @property
    def digest(self) -> bytes:
        """What tells two bodies apart, and what indexes promise of this one: SHA-256, 32 bytes."""
        return digest(self.body)


class PathConflict(LibraryError):
    """Two writers want one path; one of them has to go."""


def digest(body: bytes | memoryview) -> bytes:
    """SHA-256, 32 bytes: what the indexes of skills publish, so that it is worked out once."""
    return hashlib.sha256(body).digest()


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
