"""Backups of PostgreSQL: `pg_dump` in its custom form, of one snapshot, and back in one transaction."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from sqlalchemy import text

from .backup import VERSIONS, Backup, NotBackedUp, NotRestored, facts_of, refuse_full
from .errors import StoreError
from .postgres import PostgresDatabase
from .schema import metadata

_LOCK_WAIT = 10_000
_SECONDS = 3_600
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def dump(database: PostgresDatabase, path: Path) -> Backup:
    """Dump the store as it is at one moment, and read all of the dump. Raises `NotBackedUp`."""
    with database.read() as connection:
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        found = facts_of(connection)
        snapshot = connection.scalar(text("SELECT pg_export_snapshot()"))
        tables = [f"--table={name}" for name in (*found.rows, VERSIONS)]
        how = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={path}")
        _run(NotBackedUp, database, "pg_dump", *how, *tables)
    _run(NotBackedUp, database, "pg_restore", f"--file={os.devnull}", str(path))
    return found


def replace(database: PostgresDatabase, path: Path, *, force: bool) -> None:
    """Put a dump in the place of the store. Raises `NotRestored`, and then nothing was changed.

    Without `force` the database must hold no rows of ours, and nobody else may be connected to it. Tables that the dump
    does not know go too, which `pg_restore --clean` would leave there.
    """
    if not force:
        refuse_full(database)
        with database.read() as connection:
            others = connection.scalar(_OTHERS)
        if others:
            raise NotRestored(f"{others} others are connected to the database; stop the service first, or use --force.")
    database.close()
    ours = ", ".join(f'"{name}"' for name in (*metadata.tables, VERSIONS))
    with tempfile.NamedTemporaryFile(suffix=".sql") as script:
        _run(NotRestored, database, "pg_restore", "--no-owner", "--no-privileges", f"--file={script.name}", str(path))
        how = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction")
        dropped = f"--command=DROP TABLE IF EXISTS {ours} CASCADE"
        _run(NotRestored, database, "psql", *how, dropped, f"--file={script.name}")


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
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
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
    given = {names.get(keyword): value for keyword, value in database.connection_parameters().items()}
    return {name.decode(): value for name, value in given.items() if name}
