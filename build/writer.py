"""Files of the site: written whole or not at all, and never outside the output folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
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


def write(public: Path, artifacts: Iterable[Artifact], *, served: bool) -> None:
    """Write files.

    In a folder that is `served`, a reader sees each as it was or whole: it is written under another name first.
    """
    for artifact in artifacts:
        path = _inside(public, artifact.path)
        if served:
            folder, _, name = path.rpartition("/")
            _put(f"{folder}/.{name}.new", artifact.body)
            os.replace(f"{folder}/.{name}.new", path)  # noqa: PTH105 - paths are texts here, as in `_put`
            drop_forms(path)
        else:
            _put(path, artifact.body)


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


def remove(public: Path, paths: Iterable[str]) -> None:
    """Remove files, and the folders that they leave empty."""
    for name in paths:
        path = Path(_inside(public, name))
        path.unlink(missing_ok=True)
        drop_forms(str(path))
        for folder in path.parents:
            if folder == public:
                break
            try:
                folder.rmdir()
            except OSError:
                break


def _inside(public: Path, name: str) -> str:
    """The place of an artifact, which is always below `public`."""
    if not _NAME.fullmatch(name):
        raise UnsafePath(f"the path {name!r} is not one that the build writes")
    return f"{public}/{name}"
