"""A backup of the whole store: a line of JSON for each row, then what they are, then a digest of it all.

It is read at one moment while writers go on, and goes back in one transaction, into either engine.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, MetaData, func, inspect, select, text

from library.durable import sync_folder

from .base import StorePart, record
from .engine import Damaged, SqliteDatabase, StoreError, Unavailable
from .schema import REVISION, VERSIONS, audit, bring_up, metadata, migrate

_STEP = 1_000
_TRIES = 20


class NotRestored(StoreError):
    """Nothing was changed: the file is no whole backup, or the store may not be replaced."""


class NotBackedUp(StoreError):
    """There is no backup, and nothing has the name that it was to have."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds: the migration that its schema stands at, and how many rows each table has."""

    revision: str
    rows: Mapping[str, int]

    def __str__(self) -> str:
        found = ", ".join(f"{number} {name}" for name, number in sorted(self.rows.items()) if number)
        return f"schema {self.revision}, {found or 'no rows'}"


class Backups(StorePart):
    """The store as a whole: made, ready, written to one file, and put back from it."""

    def migrate(self) -> None:
        """Make the database, or bring it to the newest schema; several processes may do so at once."""
        migrate(self._database)

    def ready(self) -> None:
        """Raise `Unavailable` unless the database stands at the newest schema, reads and writes."""
        with self._database.write() as connection:
            found = connection.scalar(select(VERSIONS.c.version_num))
            if found != REVISION:
                raise Unavailable(f"The database stands at migration {found}, and {REVISION} is needed.")
            trial = connection.begin_nested()
            record(connection, "ready", "tried", at=self._now(), by="ready")
            trial.rollback()

    def back_up(self, path: Path) -> Backup:
        """Write the store as it is at one moment to one file, read it again, and only then give it its name.

        Writers go on meanwhile. Raises `NotBackedUp`.
        """
        with self._database.read() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            return _write(connection, path)

    def restore(self, path: Path, *, force: bool = False, running: bool = False) -> tuple[Backup, Path | None]:
        """Make the store what a backup holds, brought to the newest schema; that, and the backup of what it held.

        A file of SQLite that cannot be read is put aside with `force`. Raises `NotRestored` with nothing changed: for a
        file that is damaged, without `force` for a store that holds anything, without `running` for one that a service
        uses.
        """
        expected = _read(path)
        if expected.revision > REVISION:
            known = f"this program knows those up to {REVISION}"
            raise NotRestored(f"The backup stands at schema {expected.revision!r}; {known}.")
        for left in reversed(range(_TRIES)):
            try:
                return expected, self._replace(path, expected, force=force, running=running)
            except Damaged:
                if not force or not isinstance(self._database, SqliteDatabase):
                    raise
                self._database.put_aside()
            except Unavailable as error:  # a writer came between two locks: nothing was changed
                if not left or "deadlock" not in str(error.__cause__):
                    raise
        raise NotRestored("The database cannot be read.")

    def _replace(self, path: Path, expected: Backup, *, force: bool, running: bool) -> Path | None:
        """Keep what is there in a backup, and put another in its place, in one transaction."""
        if not running and self._database.has_others():
            raise NotRestored("The database is in use; stop the service first, or use --running.")
        kept = None
        with self._database.migrating() as connection:
            former = _tables(connection)
            if former.tables and connection.dialect.name == "postgresql":
                # the audit comes last, as it does for writers
                names = sorted(former.tables, key=lambda name: (name == audit.name, name))
                connection.execute(text(f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE"))
            if rows := sum(_counts(connection, former).values()):
                if not force:
                    beside = "--force replaces them, and keeps them beside it"
                    raise NotRestored(f"The database holds {rows} rows; {beside}.")
                now = "".join(filter(str.isalnum, self._now()))
                kept = (self._database.folder or path.parent) / f"before-{now}.backup"
                _write(connection, kept)
            former.drop_all(connection)
            VERSIONS.drop(connection, checkfirst=True)
            bring_up(connection)
            made = _tables(connection)
            _load(connection, path, made)
            found = _counts(connection, made)
            if any(found.get(name) != number for name, number in expected.rows.items()):
                raise NotRestored("What the file holds is not what it says; take another.")
        return kept


def _tables(connection: Connection) -> MetaData:
    """Our tables as they stand in a database, perhaps at an older schema."""
    there, found = set(inspect(connection).get_table_names()), MetaData()
    found.reflect(connection, only=[name for name in metadata.tables if name in there])
    for table in found.tables.values():
        for column in table.columns:
            if isinstance(column.type, sa.JSON):
                column.type.none_as_null = True
    return found


def _counts(connection: Connection, tables: MetaData) -> dict[str, int]:
    counted = {table.name: select(func.count()).select_from(table) for table in tables.sorted_tables}
    return {name: int(connection.scalar(count) or 0) for name, count in counted.items()}


def _write(connection: Connection, path: Path) -> Backup:
    """Write what a connection sees to a new file, which is on the disk when this ends. Raises `NotBackedUp`."""
    if not inspect(connection).has_table(VERSIONS.name):
        raise NotBackedUp("There is no store in this database: nothing was ever sent to it.")
    tables = _tables(connection)
    made = Backup(str(connection.scalar(select(VERSIONS.c.version_num))), _counts(connection, tables))
    digest = hashlib.sha256()
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.") as beside:
            for line in _lines(connection, tables, made):
                digest.update(line)
                beside.write(line)
            beside.write(digest.hexdigest().encode())
            beside.flush()
            os.fsync(beside.fileno())
            if _read(Path(beside.name)) != made:
                raise NotBackedUp(f"{path} was not written whole.")
            os.link(beside.name, path)  # unlike a rename it replaces nothing
        sync_folder(path.parent)
    except FileExistsError as error:
        raise NotBackedUp(f"{path} is there already; a backup replaces nothing: give another name.") from error
    except OSError as error:
        raise NotBackedUp(f"{path} cannot be written: {error.strerror}.") from error
    return made


def _lines(connection: Connection, tables: MetaData, made: Backup) -> Iterator[bytes]:
    for table in tables.sorted_tables:
        for row in connection.execute(select(table).execution_options(yield_per=_STEP)).mappings():
            yield json.dumps([table.name, dict(row)], default=bytes.hex).encode() + b"\n"
    yield json.dumps(asdict(made)).encode() + b"\n"


def _read(path: Path) -> Backup:
    """What a backup holds, once each of its bytes is as it was written. Raises `NotRestored` for any other file."""
    digest, facts, end = hashlib.sha256(), b"", b""
    try:
        with path.open("rb") as file:
            for line in file:
                digest.update(end)
                facts, end = end, line
    except OSError as error:
        raise NotRestored(f"{path} cannot be read: {error.strerror}.") from error
    if end != digest.hexdigest().encode():
        raise NotRestored(f"{path} is no backup that `playbooks backup` wrote, or not all of it: take another.")
    return Backup(**json.loads(facts))


def _load(connection: Connection, path: Path, tables: MetaData) -> None:
    """Put the rows of a backup into empty tables of its schema."""
    with path.open("rb") as file:
        rows = (json.loads(line) for line in file if line.startswith(b"["))
        for name, group in groupby(rows, key=itemgetter(0)):
            table = tables.tables[name]
            hashes = [column.name for column in table.columns if isinstance(column.type, sa.LargeBinary)]
            while batch := [_values(row, hashes) for _, row in islice(group, _STEP)]:
                connection.execute(table.insert(), batch)
            if connection.dialect.name == "postgresql" and metadata.tables[name].autoincrement_column is not None:
                # what is added later is numbered from there on
                last = func.setval(func.pg_get_serial_sequence(name, "id"), func.max(table.c.id))
                connection.execute(select(last).select_from(table))


def _values(row: dict[str, Any], hashes: list[str]) -> dict[str, Any]:
    return row | {name: bytes.fromhex(row[name]) for name in hashes if row[name] is not None}
