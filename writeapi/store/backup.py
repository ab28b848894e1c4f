"""A backup of the whole store: one file that says at its end what it holds, under a digest of all its bytes.

SQLite is copied by its online interface while writers go on, PostgreSQL dumped from one snapshot by `pg_dump`; either
goes back in one transaction.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast
from urllib.parse import quote

from sqlalchemy import Connection, Table, func, inspect, select, text

from library.durable import sync_folder

from .base import StorePart, record
from .engine import PostgresDatabase, SqliteDatabase, StoreError, Unavailable, is_damaged, refusals
from .schema import REVISION, VERSIONS, audit, metadata, migrate, runs, submissions

_FACTS = b"\nplaybooks backup "
_SEAL = b"\nplaybooks sha256 "
"""What stands before the facts and the digest: both engines read no further than their own last byte."""
_SEALED = len(_SEAL) + 64 + 1
_PART = 1 << 20
_ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
_WAIT = 60.0
_LOCK_WAIT = 10_000
_TRIES = 20
_SECONDS = 3_600
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


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
        if path.exists() or path.is_symlink():
            raise NotBackedUp(f"{path} is there already; a backup replaces nothing: give another name.")
        try:
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.") as beside:
                match self._database:
                    case PostgresDatabase() as database:
                        made = _dump(database, Path(beside.name))
                    case SqliteDatabase() as database:
                        made = _copy(database, Path(beside.name))
                seal(Path(beside.name), made)
                os.fsync(beside.fileno())
                os.link(beside.name, path)  # unlike a rename it replaces nothing
            sync_folder(path.parent)
        except OSError as error:
            raise NotBackedUp(f"{path} cannot be written: {error.strerror}.") from error
        return made

    def restore(self, path: Path, *, force: bool = False, running: bool = False) -> tuple[Backup, str]:
        """Make the store what a backup holds, brought to the newest schema; that, and where is what it held before.

        Raises `NotRestored` with nothing changed: for a file that is damaged or of the other engine, without `force`
        for a store that holds anything, without `running` for one that a service uses.
        """
        expected = _sealed(path)
        if not self._database.describe().startswith(expected.engine):
            raise NotRestored(f"{path} is a backup of {expected.engine}, not of the engine that is set.")
        aside = f"before-{''.join(filter(str.isalnum, self._now()))}"
        match self._database:
            case PostgresDatabase() as database:
                kept = _replace_postgres(database, path, expected, aside, force=force, running=running)
            case SqliteDatabase() as database:
                kept = _replace_sqlite(database, path, expected, aside, force=force, running=running)
        self.migrate()
        self.ready()
        return expected, kept


def _facts_of(connection: Connection) -> Backup:
    """What a backup of this moment holds. Raises `NotBackedUp` where that is no whole store."""
    if not inspect(connection).has_table(VERSIONS.name):
        raise NotBackedUp("There is no store in this database: nothing was ever sent to it.")
    rows = _counted(connection)
    if orphans := sum(_without_audit(connection, table) for table in (runs, submissions) if table.name in rows):
        raise NotBackedUp(f"The database is not whole: {orphans} records have no audit row of their version.")
    revision = str(connection.scalar(select(VERSIONS.c.version_num)))
    return Backup(_ENGINES[connection.dialect.name], revision, rows)


def _counted(connection: Connection) -> dict[str, int]:
    there = set(inspect(connection).get_table_names())
    tables = [table for table in metadata.sorted_tables if table.name in there]
    return {table.name: int(connection.scalar(select(func.count()).select_from(table)) or 0) for table in tables}


def _without_audit(connection: Connection, table: Table) -> int:
    row = (audit.c.subject == table.c.id) & (audit.c.version == table.c.version)
    alone = select(func.count()).select_from(table).where(~select(audit.c.id).where(row).exists())
    return int(connection.scalar(alone) or 0)


def seal(path: Path, made: Backup) -> None:
    """Write to the end of a file what it holds, and the digest of all its bytes."""
    with path.open("r+b") as file:
        file.seek(0, os.SEEK_END)
        file.write(_FACTS + json.dumps(asdict(made)).encode())
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        file.write(_SEAL + digest.encode() + b"\n")


def _sealed(path: Path) -> Backup:
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


def _refuse_full(connection: Connection, *, force: bool) -> int:
    """How many rows it holds, which only `force` replaces."""
    rows = sum(_counted(connection).values())
    if rows and not force:
        raise NotRestored(f"The database holds {rows} rows; --force replaces them, and keeps them beside it.")
    return rows


def _copy(database: SqliteDatabase, path: Path) -> Backup:
    """Copy the database as it is at one moment, and read every page of the copy. Raises `NotBackedUp`."""
    if not database.path.exists():
        raise NotBackedUp(f"There is no store at {database.path}: nothing was ever sent to it, or it lies elsewhere.")
    with refusals(), database.read() as connection:
        found = _facts_of(connection)
        _write_copy(cast("sqlite3.Connection", connection.connection.driver_connection), path)
    with refusals(), closing(_opened(path, "ro")) as copy:
        if wrong := _wrong(copy):
            raise NotBackedUp(f"The copy is not whole, or the database is not: {wrong}.")
    return found


def _replace_sqlite(
    database: SqliteDatabase, path: Path, expected: Backup, aside: str, *, force: bool, running: bool
) -> str:
    """Put a backup in the place of the database, and say where that is which was there.

    It is copied beside it, brought up and compared first; then, behind the gate, it becomes the database in one
    transaction. One that cannot be read is put aside as `NAME-damaged`. Raises `NotRestored` with nothing changed.
    """
    whole = not database.path.exists() or _is_whole(database.path)
    if not whole and not force:
        raise NotRestored(f"{database.path} cannot be read; --force puts it aside and restores.")
    database.path.parent.mkdir(parents=True, exist_ok=True)
    beside, kept = database.path.with_name(f"{database.path.name}-restoring"), ""
    try:
        _prepare(path, beside, expected)
        if not whole:
            for end in ("-wal", "-shm", ""):
                with suppress(FileNotFoundError):
                    Path(f"{database.path}{end}").replace(f"{database.path}-damaged{end}")
        with database.created(time.monotonic() + _WAIT):
            with database.read() as connection:
                rows = _refuse_full(connection, force=force)
            database.let_go()
            with closing(_opened(database.path, "rw")) as target:
                if not running:
                    _refuse_used(target, database.path)
                if rows:
                    kept = f"{database.path}-{aside}"
                    _write_copy(target, Path(kept))
                with closing(_opened(beside, "ro")) as source:
                    source.backup(target)
                target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except (OSError, sqlite3.Error) as error:
        raise NotRestored(f"The backup could not be put into {database.path}: {error}.") from error
    finally:
        for end in ("-wal", "-shm", "-gate", ""):
            Path(f"{beside}{end}").unlink(missing_ok=True)
    return kept


def _prepare(path: Path, beside: Path, expected: Backup) -> None:
    """Write a database of its own from a backup, compare the two, and bring it to the newest schema."""
    beside.unlink(missing_ok=True)
    with closing(_opened(path, "ro")) as source:
        _write_copy(source, beside)
    made = SqliteDatabase(beside, _WAIT)
    try:
        with made.read() as connection:
            found = _counted(connection)
        if wrong := [name for name, number in expected.rows.items() if found.get(name) != number]:
            raise NotRestored(f"What the file holds is not what it says: {', '.join(wrong)} differ. Take another.")
        migrate(made)
    finally:
        made.close()


def _write_copy(source: sqlite3.Connection, path: Path) -> None:
    """A file with what a database holds, on the disk when this ends."""
    with closing(sqlite3.connect(path, isolation_level=None)) as target:
        path.chmod(0o600)
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, which needs no other beside it
    with path.open("rb") as file:
        os.fsync(file.fileno())
    sync_folder(path.parent)


def _refuse_used(target: sqlite3.Connection, path: Path) -> None:
    """Only who is alone may change how the log is kept. Raises `NotRestored`."""
    try:
        target.execute("PRAGMA busy_timeout = 200")
        target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        raise NotRestored(f"{path} is in use ({error}); stop the service first, or use --running.") from error


def _is_whole(path: Path) -> bool:
    """Whether it is a whole database, or an empty file. Raises `Unavailable` where that cannot be known now."""
    try:
        with closing(_opened(path, "rw")) as connection:
            return not _wrong(connection)
    except sqlite3.DatabaseError as error:
        if is_damaged(error):
            return False
        raise Unavailable("The database is busy with other writers.") from error


def _wrong(connection: sqlite3.Connection) -> str:
    """What does not hold of pages, indexes and references; empty for a whole database."""
    found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    if found != ["ok"]:
        return "; ".join(found)
    alone = connection.execute("PRAGMA foreign_key_check").fetchone()
    return "rows refer to others that are not there" if alone else ""


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=_WAIT, isolation_level=None)


def _dump(database: PostgresDatabase, path: Path) -> Backup:
    """Dump the store as it is at one moment, and read all of the dump. Raises `NotBackedUp`."""
    with database.read() as connection:
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        found = _facts_of(connection)
        snapshot = connection.scalar(text("SELECT pg_export_snapshot()"))
        tables = [f"--table={name}" for name in (*found.rows, VERSIONS.name)]
        how = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={path}")
        _run(NotBackedUp, database, "pg_dump", *how, *tables)
    _run(NotBackedUp, database, "pg_restore", f"--file={os.devnull}", str(path))
    return found


def _replace_postgres(
    database: PostgresDatabase, path: Path, expected: Backup, aside: str, *, force: bool, running: bool
) -> str:
    """Put a dump in the place of the store, and say which schema has that now which was there.

    All of it is one transaction, which ends in a comparison: our tables go aside, the dump's are made and counted.
    Raises `NotRestored` with nothing changed.
    """
    with database.read() as connection:
        rows, others = _refuse_full(connection, force=force), connection.scalar(_OTHERS)
        there = {*metadata.tables, VERSIONS.name} & set(inspect(connection).get_table_names())
    if others and not running:
        raise NotRestored(f"{others} others are connected to the database; stop the service first, or use --running.")
    database.close()
    schema = aside.replace("-", "_").lower()
    held = ", ".join(
        f'"{name}"' for name in sorted(there, key=lambda name: (name == audit.name, name))
    )  # as writers do
    lock = [f"LOCK TABLE {held} IN ACCESS EXCLUSIVE MODE"] if there else []
    keep = [f"CREATE SCHEMA {schema}", *(f'ALTER TABLE "{name}" SET SCHEMA {schema}' for name in sorted(there))]
    drop = [f'DROP TABLE IF EXISTS "{name}" CASCADE' for name in (*metadata.tables, VERSIONS.name)]
    with tempfile.NamedTemporaryFile(suffix=".sql") as script:
        _run(NotRestored, database, "pg_restore", "--no-owner", "--no-privileges", f"--file={script.name}", str(path))
        how = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--set=VERBOSITY=terse", "--single-transaction")
        first = [f"--command={statement}" for statement in (*lock, *(keep if rows else drop))]
        last = [f"--command={_COUNT.format(name=name, number=number)}" for name, number in expected.rows.items()]
        for left in reversed(range(_TRIES)):
            try:
                _run(NotRestored, database, "psql", *how, *first, f"--file={script.name}", *last)
                break
            except NotRestored as error:  # a writer came between two locks: nothing was changed
                if not left or "deadlock" not in str(error):
                    raise
    return f"the schema {schema}" if rows else ""


_COUNT = """DO $$ BEGIN IF (SELECT count(*) FROM public."{name}") <> {number} THEN
RAISE 'what the file holds is not what it says: {name} differ; take another'; END IF; END $$"""


def _run(error: type[StoreError], database: PostgresDatabase, name: str, *arguments: str) -> None:
    """Run a program of PostgreSQL. Raises `error` with its last words, or with what to install."""
    program = shutil.which(name)
    if program is None:
        raise error(f"{name} is not installed; it comes with PostgreSQL's client programs (postgresql-client).")
    try:
        done = subprocess.run(
            [program, *arguments],
            env={**os.environ, "PGOPTIONS": f"-c lock_timeout={_LOCK_WAIT}", **_where(database)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise error(f"{name} took more than {_SECONDS} seconds.") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["it ended without a word"]
        raise error(f"{name}: {lines[-1][:300]}")


def _where(database: PostgresDatabase) -> dict[str, str]:
    """How to connect, as libpq's variables: everybody on the machine may read a command line, and so a password."""
    from psycopg import pq

    names = {option.keyword.decode(): option.envvar for option in pq.Conninfo.get_defaults()}
    given = database.engine.dialect.create_connect_args(database.url)[1]
    return {name.decode(): str(value) for keyword, value in given.items() if (name := names.get(keyword))}
