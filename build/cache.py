"""What the last build knew, so that this one need not do it again.

Only a cache: damaged, old or missing means a full build.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import msgspec

from library.entries import PlaybookEntry
from library.loading import FILES, FOLDERS, Kept
from library.models import Site
from library.quick import from_json
from library.related import Near

from .artifacts import digest
from .listed import Listed
from .unchanged import files_digest

FORMAT = 5

MARK = 32
"""The length of a digest in bytes."""

NO_FILE = bytes(MARK)
"""Stands for a file that a unit does not have."""


class SourceState(msgspec.Struct, array_like=True):
    """One content file as it was read: its stat, its digest, and what is kept of it."""

    changed_ns: int
    size: int
    digest: bytes
    record: bytes


class UnitState(msgspec.Struct, array_like=True):
    """All that was written about one subject: the key of what was shown, and the digest of each file.

    `marks` are the digests in the order of the subject's routes, one after the other; `NO_FILE` stands for a route
    without a file here. `files` counts the others.
    """

    key: bytes
    marks: bytes
    files: int


class State(msgspec.Struct):
    """Everything that the last build knew. `settings` stands for code, templates, site settings and build options,
    `history` for the state of the git repository.

    `counted` are the run reports that counted, `handles` all contributors, `told` the digest of each playbook's history
    where it has one: by them the next build sees whom a change touches.
    """

    format: int
    settings: bytes
    today: str
    started_ns: int
    pending: dict[str, int]
    sources: dict[str, SourceState]
    units: dict[str, UnitState]
    history: str = ""
    near: dict[str, Near] = {}
    assets: dict[str, bytes] = {}
    listed: dict[str, Listed] = {}
    counted: list[str] = []
    handles: list[str] = []
    told: dict[str, bytes] = {}

    @property
    def files(self) -> int:
        """How many files the site has."""
        return len(self.assets) + sum([unit.files for unit in self.units.values()])


def save(path: Path, state: State) -> None:
    """Write the state in one piece, with a digest that shows any damage."""
    body = msgspec.msgpack.encode(state)
    fresh = path.with_suffix(".new")
    with fresh.open("wb") as file:
        file.writelines((digest(body), body))
    fresh.replace(path)


def load(path: Path) -> State | None:
    """The last state; None when there is none that can be trusted."""
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    body = memoryview(raw)[MARK:]
    if digest(body) != raw[:MARK]:
        return None
    try:
        state = msgspec.msgpack.decode(body, type=State)
    except msgspec.DecodeError:
        return None
    return state if state.format == FORMAT else None


def keep(record: Kept) -> bytes:
    """A record as the state keeps it."""
    return (
        msgspec.msgpack.encode(record)
        if isinstance(record, PlaybookEntry)
        else record.__pydantic_serializer__.to_json(record)
    )


def recall(file: str, kept: bytes) -> Kept:
    """A kept record again; `file` says of what kind."""
    folder = file.split("/", 1)[0]
    if folder == "playbooks":
        return msgspec.msgpack.decode(kept, type=PlaybookEntry)
    model = FILES.get(file) or FOLDERS[folder]
    # Never a whole playbook: its entry is what is kept.
    return cast("Kept", from_json(model, kept).filed(file))


def settings(site: Site | None, project: Path, templates: Path, theme: Path | None, kind: str) -> bytes:
    """The digest of all that goes into every page: code, templates, theme, the site's settings, the kind of build."""
    start = (site.__pydantic_serializer__.to_json(site) if site else b"") + kind.encode()
    return files_digest(project / "library", project / "build", templates, *([theme] if theme else []), start=start)
