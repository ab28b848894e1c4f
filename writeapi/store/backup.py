"""A backup of the whole store: one file that says at its end what it holds, under a digest of all its bytes."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from sqlalchemy import Connection, Table, func, inspect, select, text

from library.durable import sync_folder

from .engine import Database
from .errors import StoreError
from .schema import REVISION, audit, metadata, runs, submissions

VERSIONS = "alembic_version"
_FACTS = b"\nplaybooks backup "
_SEAL = b"\nplaybooks sha256 "
"""What stands before the facts and the digest: both engines read no further than their own last byte."""
_SEALED = len(_SEAL) + 64 + 1
_PART = 1 << 20
_ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


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
        found = ", ".join(f"{number} {name}" for name, number in sorted(self.rows.items()) if number)
        return f"{self.engine}, schema {self.revision}, {found or 'no rows'}"


def facts_of(connection: Connection) -> Backup:
    """What a backup of this moment holds. Raises `NotBackedUp` where that is no whole store."""
    if not inspect(connection).has_table(VERSIONS):
        raise NotBackedUp("There is no store in this database: nothing was ever sent to it.")
    rows = counted(connection)
    if orphans := sum(_without_audit(connection, table) for table in (runs, submissions) if table.name in rows):
        raise NotBackedUp(f"The database is not whole: {orphans} records have no audit row of their version.")
    revision = str(connection.scalar(text(f"SELECT version_num FROM {VERSIONS}")))  # noqa: S608 - our own name
    return Backup(_ENGINES[connection.dialect.name], revision, rows)


def counted(connection: Connection) -> dict[str, int]:
    """How many rows each of our tables has that is there, in this transaction."""
    there = set(inspect(connection).get_table_names())
    tables = [table for table in metadata.sorted_tables if table.name in there]
    return {table.name: int(connection.scalar(select(func.count()).select_from(table)) or 0) for table in tables}


def _without_audit(connection: Connection, table: Table) -> int:
    row = (audit.c.subject == table.c.id) & (audit.c.version == table.c.version)
    alone = select(func.count()).select_from(table).where(~select(audit.c.id).where(row).exists())
    return int(connection.scalar(alone) or 0)


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """A file that is there whole or not at all: made beside its place for its owner only, on the disk, then named.

    Raises `NotBackedUp` where the name is taken or cannot be written.
    """
    if path.exists() or path.is_symlink():
        raise NotBackedUp(f"{path} is there already; a backup replaces nothing: give another name.")
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.") as beside:
            yield Path(beside.name)
            os.fsync(beside.fileno())
            os.link(beside.name, path)  # unlike a rename it replaces nothing
        sync_folder(path.parent)
    except OSError as error:
        raise NotBackedUp(f"{path} cannot be written: {error.strerror}.") from error


def seal(path: Path, made: Backup) -> None:
    """Write to the end of a file what it holds, and the digest of all its bytes."""
    with path.open("r+b") as file:
        file.seek(0, os.SEEK_END)
        file.write(_FACTS + json.dumps(asdict(made)).encode())
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        file.write(_SEAL + digest.encode() + b"\n")


def sealed(path: Path) -> Backup:
    """What a backup holds, once each of its bytes is as it was written.

    Raises `NotRestored` for any other file, and for a schema that this program does not know; an older one is brought
    up.
    """
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            length = max(os.fstat(file.fileno()).st_size - _SEALED, 0)
            for start in range(0, length, _PART):
                digest.update(file.read(min(_PART, length - start)))
            end = file.read()
            file.seek(max(length - _PART, 0))
            facts = file.read(min(_PART, length)).rpartition(_FACTS)[2]
    except OSError as error:
        raise NotRestored(f"{path} cannot be read: {error.strerror}.") from error
    if end != _SEAL + digest.hexdigest().encode() + b"\n":
        raise NotRestored(f"{path} is no backup that `playbooks backup` wrote, or not all of it: take another.")
    found = Backup(**json.loads(facts))
    if found.revision > REVISION:
        raise NotRestored(f"The backup stands at schema {found.revision!r}; this program knows those up to {REVISION}.")
    return found


def refuse_full(database: Database) -> None:
    """Raise `NotRestored` where the database holds anything of ours."""
    with database.read() as connection:
        rows = sum(counted(connection).values())
    if rows:
        raise NotRestored(f"The database holds {rows} rows; --force replaces them.")


def compare(database: Database, expected: Backup) -> None:
    """Raise `NotRestored` where the database does not hold what its backup held."""
    with database.read() as connection:
        found = counted(connection)
    if wrong := [name for name, number in expected.rows.items() if found.get(name) != number]:
        raise NotRestored(f"What was restored is not what the backup holds: {', '.join(wrong)} differ.")
