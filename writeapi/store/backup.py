"""A backup of the whole store in one file, checked before it has its name, and the way back from it."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, inspect, select

from .engine import Database
from .errors import StoreError
from .schema import REVISION, audit, metadata, runs, submissions

VERSIONS = "alembic_version"
SEAL = b"\nplaybooks sha256 "
"""What stands before the digest at a backup's end: both engines read no further than their own last byte."""

_REVISION = re.compile(r"\d{4}")
_SEALED = len(SEAL) + 64 + 1


class NotRestored(StoreError):
    """Nothing was changed: the file is no whole backup, or the store may not be replaced."""


class NotBackedUp(StoreError):
    """There is no backup, and nothing has the name that it was to have."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds: the migration that its schema stands at, and how many rows each table has."""

    engine: str
    revision: str
    rows: Mapping[str, int]

    def __str__(self) -> str:
        told = ", ".join(f"{number} {name}" for name, number in sorted(self.rows.items()) if number)
        return f"{self.engine}, schema {self.revision}, {told or 'no rows'}"


def counted(connection: Connection) -> dict[str, int]:
    """How many rows each of our tables has that is there, in this transaction."""
    there = set(inspect(connection).get_table_names())
    tables = [table for table in metadata.sorted_tables if table.name in there]
    return {table.name: int(connection.scalar(select(func.count()).select_from(table)) or 0) for table in tables}


def without_audit(connection: Connection) -> int:
    """How many runs and submissions have no audit row of the version that they stand at; a whole store has none."""
    return sum(int(connection.scalar(_without_audit(table)) or 0) for table in (runs, submissions))


def _without_audit(table: Table) -> Any:  # noqa: ANN401 - a statement that gives one number
    row = (audit.c.subject == table.c.id) & (audit.c.version == table.c.version)
    return select(func.count()).select_from(table).where(~select(audit.c.id).where(row).exists())


def check_revision(revision: str) -> None:
    """Refuse a schema that this program does not know; an older one is brought up. Raises `NotRestored`."""
    if not _REVISION.fullmatch(revision) or revision > REVISION:
        raise NotRestored(f"The backup stands at schema {revision!r}; this program knows those up to {REVISION}.")


def check_whole(database: Database, expected: Backup) -> None:
    """Compare what was restored with its backup. Raises `NotRestored` that says what differs."""
    with database.read() as connection:
        found, orphans = counted(connection), without_audit(connection)
    if wrong := [name for name, number in expected.rows.items() if found.get(name) != number]:
        raise NotRestored(f"What was restored is not what the backup holds: {', '.join(wrong)} differ.")
    if orphans:
        raise NotRestored(f"{orphans} records of the backup have no audit row of their version.")


def first_bytes(path: Path) -> bytes:
    """What a file begins with, by which its kind is known. Raises `NotRestored` for one that cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(16)
    except OSError as error:
        raise NotRestored(f"{path} cannot be read: {error.strerror}.") from error


def seal(path: Path) -> None:
    """Write the digest of all its bytes to the end of a file."""
    with path.open("r+b") as file:
        told = hashlib.file_digest(file, "sha256").hexdigest()
        file.write(SEAL + told.encode() + b"\n")


def check_seal(path: Path) -> None:
    """Refuse a file that is not what was sealed; one without a seal is older than these. Raises `NotRestored`."""
    try:
        with path.open("rb") as file:
            length = max(os.fstat(file.fileno()).st_size - _SEALED, 0)
            file.seek(length)
            end = file.read()
            if not end.startswith(SEAL):
                return
            file.seek(0)
            digest = hashlib.sha256()
            while length and (part := file.read(min(length, 1 << 20))):
                digest.update(part)
                length -= len(part)
    except OSError as error:
        raise NotRestored(f"{path} cannot be read: {error.strerror}.") from error
    if end != SEAL + digest.hexdigest().encode() + b"\n":
        raise NotRestored(f"{path} is damaged: it is not what was written.")


class Written:
    """A file that is there whole or not at all: made beside its place for its owner only, on the disk, then renamed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.beside = path.with_name(f".{path.name}.{os.getpid()}.part")

    def __enter__(self) -> Path:
        """The empty file to write to. Raises `NotBackedUp` where the name is taken."""
        if self.path.exists() or self.path.is_symlink():
            raise NotBackedUp(f"{self.path} is there already; a backup replaces nothing: give another name.")
        try:
            os.close(os.open(self.beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        except OSError as error:
            raise NotBackedUp(f"{self.path.parent} cannot be written: {error.strerror}.") from error
        return self.beside

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                _to_disk(self.beside)
                os.link(self.beside, self.path)  # unlike a rename it replaces nothing
                _to_disk(self.path.parent)
        except OSError as error:
            raise NotBackedUp(f"{self.path} cannot be written: {error.strerror}.") from error
        finally:
            with suppress(FileNotFoundError):
                self.beside.unlink()


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
