"""Files of the site: written whole or not at all, and never outside the output folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
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
        if not served or not os.path.exists(path):  # noqa: PTH110 - paths are texts here, as in `_put`
            added += 1
        if served:
            folder, _, name = path.rpartition("/")
            _put(f"{folder}/.{name}.new", artifact.body)
            os.replace(f"{folder}/.{name}.new", path)  # noqa: PTH105 - paths are texts here, as in `_put`
            drop_forms(path)
        else:
            _put(path, artifact.body)
    return added


def _put(path: str, body: bytes) -> None:
    """One file, and its folder where it is not there yet. By the system's own calls: there are tens of thousands."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    try:
        file = os.open(path, flags, 0o666)
    except FileNotFoundError:
        _make_folder(path.rpartition("/")[0])
        file = os.open(path, flags, 0o666)
    try:
        done = os.write(file, body)
        while done < len(body):
            done += os.write(file, memoryview(body)[done:])
    finally:
        os.close(file)


def _make_folder(path: str) -> None:
    """A folder, and those that it lies in where they are not there yet."""
    try:
        os.mkdir(path)  # noqa: PTH102 - paths are texts here, as in `_put`
    except FileExistsError:
        return  # another process made it
    except FileNotFoundError:
        _make_folder(path.rpartition("/")[0])
        _make_folder(path)


def drop_forms(path: str) -> None:
    """Remove the precompressed forms of a file that is another now."""
    for suffix in COMPRESSED:
        with suppress(FileNotFoundError):
            os.unlink(path + suffix)  # noqa: PTH108 - paths are texts here, as in `_put`


def differing(public: Path, artifacts: Iterable[Artifact]) -> Iterator[Artifact]:
    """Those whose bytes are not in their place yet."""
    for artifact in artifacts:
        try:
            with open(_inside(public, artifact.path), "rb") as file:  # noqa: PTH123 - paths are texts here, as in `_put`
                there = file.read()
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
        drop_forms(str(path))
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
