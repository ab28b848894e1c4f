"""Whether a build has anything to do at all: told by stats and a few digests, before records or templates are loaded.

It only ever says that there is nothing to do; whatever it is not sure of, the whole build finds out.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from stat import S_ISREG

import msgspec

from library.search.seal import is_untouched

from .artifacts import digest
from .generations import Generations
from .gitlog import read_history
from .settings import PROJECT, Report, Settings

RACY_NS = 2_000_000_000
"""A file changed this shortly before a build began may change again without a new time stamp: it is read again."""
FILE = "known"

Stats = dict[str, tuple[int, int]]
"""Of each content file when it last changed, name and rights included (ctime, in nanoseconds), and its size in bytes.

Unlike the time stamp that copies and archives set (mtime), this one cannot be put back.
"""

DEEPEST = 2
"""So many folders lie around the deepest content file."""


class Known(msgspec.Struct):
    """All that went into the last build, as little of it as tells a difference; `state` is the stat of its state file.

    `around` stands for code, templates, theme and the project's documents.
    """

    around: bytes
    site_url: str | None
    today: str
    started_ns: int
    pending: dict[str, int]
    history: str
    content: Stats
    state: tuple[int, int]
    playbooks: int
    files: int


def keep(folder: Path, known: Known) -> None:
    """Keep it in a generation's folder."""
    body = msgspec.msgpack.encode(known)
    (folder / FILE).write_bytes(digest(body) + body)


def nothing_to_do(settings: Settings, content: Stats) -> Report | None:
    """The report of a build that had nothing to do; None where it may have. `content` is how its files are now."""
    began = time.perf_counter()
    if settings.release or settings.fresh:
        return None
    generations = Generations(settings.out, settings.content)
    folder = generations.current
    if folder is None:
        return None
    with generations.alone(lambda: settings.progress("waiting for another build")):
        known = _load(folder)
        if known is None or generations.current != folder or not _same(settings, generations, folder, known, content):
            return None
    return Report(playbooks=known.playbooks, files=known.files, seconds={"read": time.perf_counter() - began})


def _same(settings: Settings, generations: Generations, folder: Path, known: Known, content: Stats) -> bool:
    told = (known.site_url, known.today, known.pending)
    return (
        told == (settings.site_url, settings.today.isoformat(), dict(settings.pending))
        and not (folder / "unfinished").exists()
        and known.state == stat_of(folder / "state")
        and _index_is_whole(folder)
        and known.content == content
        and max((changed for changed, _ in known.content.values()), default=0) < known.started_ns - RACY_NS
        and known.around == around(settings.templates, settings.theme)
        and known.history == (settings.history or read_history(settings.origin, generations.store / "history")).mark
    )


def _load(folder: Path) -> Known | None:
    try:
        raw = (folder / FILE).read_bytes()
        return msgspec.msgpack.decode(raw[32:], type=Known) if digest(raw[32:]) == raw[:32] else None
    except (OSError, msgspec.DecodeError):
        return None


def _index_is_whole(folder: Path) -> bool:
    try:
        return is_untouched((folder / "index").resolve(strict=True))
    except (OSError, ValueError):
        return False


def stat_of(path: Path) -> tuple[int, int]:
    """When a file last changed in nanoseconds, and its size in bytes; zeros where there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def content_stats(content: Path) -> Stats:
    """Every file below a folder but hidden ones and editors' copies, as the scan of the content leaves them out too.

    What is no content file is among them, and so is an empty folder, its name with a slash at the end, and what is no
    ordinary file, with a question mark: they are told from what was there before. Below folders deeper than any of the
    content nobody looks.
    """
    found: Stats = {}
    _walk(str(content), "", found)
    return found


def _walk(folder: str, below: str, found: Stats) -> None:
    before = len(found)
    try:
        with os.scandir(folder) as items:
            for item in items:
                if item.name[0] == "." or item.name[-1] == "~":
                    continue
                if not item.is_dir(follow_symlinks=False):
                    told = item.stat(follow_symlinks=False)
                    name = below + item.name if S_ISREG(told.st_mode) else f"{below}{item.name}?"
                    found[name] = (told.st_ctime_ns, told.st_size)
                elif below.count("/") < DEEPEST:
                    _walk(item.path, f"{below}{item.name}/", found)
                else:
                    found[f"{below}{item.name}/"] = (0, 0)
    except OSError:
        found[f"{below}?"] = (0, 0)  # cannot be read: no content file is called that
    if len(found) == before:
        found[below] = (0, 0)


LIBRARIES = ("jinja2", "markdown-it-py", "msgspec", "orjson", "pillow", "pydantic", "pyyaml", "whoosh")
"""What pages and records are made with: another version of one of them may make other bytes."""


def around(templates: Path, theme: Path | None) -> bytes:
    """The digest of code, templates, theme and documents."""
    return files_digest(
        PROJECT / "library", PROJECT / "build", PROJECT / "docs", templates, *([theme] if theme else [])
    )


def files_digest(*folders: Path, start: bytes = b"") -> bytes:
    """The digest of every file below some folders, with their names, of the libraries' versions, and of a `start`."""
    found = hashlib.blake2b(start, digest_size=16)
    found.update(_versions())
    for folder in folders:
        for path in sorted(_files(str(folder))):
            with open(path, "rb") as file:  # noqa: PTH123 - paths are texts here: there are some hundreds
                found.update(os.fsencode(path[len(str(folder)) :]) + digest(file.read()))
    return found.digest()


@cache
def _versions() -> bytes:
    installed = (f"{name} {found.version}" for name in LIBRARIES for found in distributions(name=name))
    return " ".join([sys.version, *installed]).encode()


def _files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as items:
        for item in items:
            if item.is_dir():
                yield from _files(item.path)
            elif item.is_file() and not item.name.endswith(".pyc"):
                yield item.path
