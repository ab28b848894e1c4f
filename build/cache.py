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
from library.related import Near

from .artifacts import digest
from .unchanged import files_digest

FORMAT = 4

_SEAL = 32
"""The length of a digest in bytes."""


class SourceState(msgspec.Struct):
    """One content file as it was read: its stat, its digest, and what is kept of it."""

    mtime_ns: int
    size: int
    digest: bytes
    record: bytes


class UnitState(msgspec.Struct):
    """All that was written about one subject: the key of what was shown, and the digest of each file."""

    key: bytes
    files: dict[str, bytes]


class State(msgspec.Struct):
    """Everything that the last build knew. `settings` stands for code, templates, site settings and build options,
    `history` for the state of the git repository."""

    format: int
    settings: bytes
    today: str
    started_ns: int
    pending: dict[str, int]
    sources: dict[str, SourceState]
    units: dict[str, UnitState]
    history: str = ""
    near: dict[str, Near] = {}

    @property
    def files(self) -> dict[str, bytes]:
        """Every file of the site with its digest."""
        return {path: body for unit in self.units.values() for path, body in unit.files.items()}


def save(path: Path, state: State) -> None:
    """Write the state in one piece, with a digest that shows any damage."""
    body = msgspec.msgpack.encode(state)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(digest(body) + body)
    fresh.replace(path)


def load(path: Path) -> State | None:
    """The last state; None when there is none that can be trusted."""
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    if digest(raw[_SEAL:]) != raw[:_SEAL]:
        return None
    try:
        state = msgspec.msgpack.decode(raw[_SEAL:], type=State)
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
    return cast("Kept", model.model_validate_json(kept).filed(file))


def settings(site: Site | None, project: Path, templates: Path, theme: Path | None, kind: str) -> bytes:
    """The digest of all that goes into every page: code, templates, theme, the site's settings, the kind of build."""
    start = (site.__pydantic_serializer__.to_json(site) if site else b"") + kind.encode()
    return files_digest(project / "library", project / "build", templates, *([theme] if theme else []), start=start)
