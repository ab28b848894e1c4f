"""Files of the site: written whole or not at all, and never outside the output folder."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from library.problems import LibraryError

from .artifacts import Artifact

_NAME = re.compile(r"(?!\.+(?:/|\Z))[A-Za-z0-9._-]+(?:/(?!\.+(?:/|\Z))[A-Za-z0-9._-]+)*")
"""Parts of plain characters, none of dots alone."""


COMPRESSED = (".gz", ".br")
"""What a file's precompressed forms end on."""


class UnsafePath(LibraryError):
    """An artifact wanted to leave the output folder."""


def write(public: Path, artifacts: Iterable[Artifact], *, served: bool) -> int:
    """Write files: how many there were not.

    In a folder that is `served`, a reader sees each as it was or whole: it is written under another name first.
    """
    added = 0
    for artifact in artifacts:
        path = _inside(public, artifact.path)
        if served:
            added += _replace(Path(path), artifact.body)
        else:
            added += 1
            _put(path, artifact.body)
    return added


def _replace(path: Path, body: bytes) -> bool:
    """Write one file in one piece: whether there was none."""
    fresh, new = path.with_name(f".{path.name}.new"), not path.exists()
    _put(str(fresh), body)
    fresh.replace(path)
    _drop_forms(path)
    return new


def _put(path: str, body: bytes) -> None:
    """One file, and its folder where it is not there yet. By the system's own calls: there are tens of thousands."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    try:
        file = os.open(path, flags, 0o666)
    except FileNotFoundError:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, flags, 0o666)
    try:
        done = os.write(file, body)
        while done < len(body):
            done += os.write(file, memoryview(body)[done:])
    finally:
        os.close(file)


def _drop_forms(path: Path) -> None:
    """Remove the precompressed forms of a file that is another now."""
    for suffix in COMPRESSED:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def differing(public: Path, artifacts: Iterable[Artifact]) -> Iterator[Artifact]:
    """Those whose bytes are not in their place yet."""
    for artifact in artifacts:
        try:
            there = Path(_inside(public, artifact.path)).read_bytes()
        except OSError:
            yield artifact
            continue
        if there != artifact.body:
            yield artifact


def remove(public: Path, paths: Iterable[str]) -> int:
    """Remove files, and the folders that they leave empty: how many there were."""
    removed = 0
    for name in paths:
        path = Path(_inside(public, name))
        try:
            path.unlink()
        except FileNotFoundError:
            continue
        removed += 1
        _drop_forms(path)
        for folder in path.parents:
            if folder == public:
                break
            try:
                folder.rmdir()
            except OSError:
                break
    return removed


def _inside(public: Path, name: str) -> str:
    """The place of an artifact, which is always below `public`."""
    if not _NAME.fullmatch(name):
        raise UnsafePath(f"the path {name!r} is not one that the build writes")
    return f"{public}/{name}"
