"""Files of the site: written whole or not at all, and never outside the output folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from library.problems import LibraryError

from .artifacts import Artifact

_PART = re.compile(r"[A-Za-z0-9._-]+")


class UnsafePath(LibraryError):
    """An artifact wanted to leave the output folder."""


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
