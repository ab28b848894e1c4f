"""Backups of PostgreSQL: `pg_dump` in its custom form, of one snapshot, and `pg_restore` in one transaction."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sqlalchemy import text

from .backup import VERSIONS, Backup, NotBackedUp, NotRestored, Written, check_revision, check_seal, counted, seal
from .engine import refusals
from .postgres import PostgresDatabase
from .schema import metadata

MAGIC = b"PGDMP"
_COPY = re.compile(rb'COPY (?:[^ ]+\.)?"?([a-z_]+)"? \(.*\) FROM stdin;\n')
_LOCK_WAIT = 10_000
_SECONDS = 3_600


def back_up(database: PostgresDatabase, path: Path) -> Backup:
    """Dump the store as it is at one moment. Raises `NotBackedUp` or `Unavailable`."""
    with Written(path) as beside:
        with refusals(), database.engine.connect() as connection, connection.begin():
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            snapshot = str(connection.scalar(text("SELECT pg_export_snapshot()")))
            expected = counted(connection)
            if not expected:
                raise NotBackedUp("There is no store in this database: nothing was ever sent to it.")
            tables = [f"--table={name}" for name in (*expected, VERSIONS)]
            how = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", *tables]
            told = _dump(database, [*how, f"--file={beside}"])
        if told is not None:
            raise NotBackedUp(f"pg_dump: {told}")
        seal(beside)
        try:
            found = examine(beside)
        except NotRestored as error:
            raise NotBackedUp(str(error)) from error
        if dict(found.rows) != expected:
            raise NotBackedUp("The dump does not hold what the database held.")
    return found


def examine(path: Path) -> Backup:
    """What a dump holds, all of it read and unpacked. Raises `NotRestored` for one that is damaged."""
    check_seal(path)
    command = [_program("pg_restore"), "--data-only", "--file=-", str(path)]
    rows: dict[str, int] = {}
    revision, table = "", ""
    with subprocess.Popen(  # noqa: S603 - a program of PostgreSQL, no shell
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        for line in process.stdout:
            if table and line == b"\\.\n":
                table = ""
            elif table:
                rows[table] += 1
                revision = line.decode().strip() if table == VERSIONS else revision
            elif match := _COPY.fullmatch(line):
                table = match[1].decode()
                rows[table] = 0
    if process.returncode or table or not revision:
        raise NotRestored(f"{path} is no backup of a store, or it is damaged.")
    return Backup("PostgreSQL", revision, {name: rows[name] for name in rows if name != VERSIONS})


def restore(database: PostgresDatabase, path: Path, *, force: bool) -> Backup:
    """Put a dump in the place of the store. Raises `NotRestored`, and then nothing was changed.

    Without `force` the database must hold no rows of ours, and nobody else may be connected to it.
    """
    expected = examine(path)
    check_revision(expected.revision)
    if not force:
        _refuse_live_or_full(database)
    database.close()
    told = _replace(database, path)
    if told is not None:
        raise NotRestored(f"Nothing was restored: {told}")
    return expected


def _refuse_live_or_full(database: PostgresDatabase) -> None:
    others = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    with database.read() as connection:
        rows, sessions = sum(counted(connection).values()), connection.scalar(others)
    if rows:
        raise NotRestored(f"The database holds {rows} rows; --force replaces them.")
    if sessions:
        raise NotRestored(f"{sessions} others are connected to the database; stop the service first, or use --force.")


def _replace(database: PostgresDatabase, path: Path) -> str | None:
    """Our tables as the dump has them, all in one transaction that only a whole dump ends; None when all went well."""
    wait = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
    read = [_program("pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(path)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    command, environment = _command(database, "psql", wait)
    with (
        subprocess.Popen(read, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as dump,  # noqa: S603 - as above
        subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, **quiet) as target,  # type: ignore[call-overload]  # noqa: S603 - as above
    ):
        with suppress(BrokenPipeError):
            drops = [f'DROP TABLE IF EXISTS "{name}" CASCADE;\n' for name in (*metadata.tables, VERSIONS)]
            target.stdin.write("".join(["BEGIN;\n", *drops]).encode())
            shutil.copyfileobj(dump.stdout, target.stdin)  # type: ignore[arg-type]  # a pipe was asked for
            if dump.wait(_SECONDS) == 0:
                target.stdin.write(b"COMMIT;\n")
        said = target.communicate(timeout=_SECONDS)[1]
    return None if dump.returncode == target.returncode == 0 else _last_words(said)


def _dump(database: PostgresDatabase, arguments: Sequence[str]) -> str | None:
    """Run `pg_dump`; None when all went well, else its last words."""
    command, environment = _command(database, "pg_dump", arguments)
    try:
        done = subprocess.run(  # noqa: S603 - a program of PostgreSQL, no shell
            command, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"it took more than {_SECONDS} seconds"
    return _last_words(done.stderr) if done.returncode else None


def _last_words(said: bytes) -> str:
    lines = said.decode(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else "it ended without a word"


def _command(database: PostgresDatabase, name: str, arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """A program of PostgreSQL with its environment: the password is there, no command line holds it."""
    conninfo, password = _conninfo(database)
    environment = {**os.environ, "PGOPTIONS": f"-c lock_timeout={_LOCK_WAIT}"}
    if password:
        environment["PGPASSWORD"] = password
    return [_program(name), *arguments, f"--dbname={conninfo}"], environment


def _conninfo(database: PostgresDatabase) -> tuple[str, str]:
    """How to connect, and the password apart: a command line is read by everybody on the machine."""
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415 - an extra, which SQLite does without

    told = database.connection_parameters()
    password = told.pop("password", "")
    return make_conninfo("", **told), password


def _program(name: str) -> str:
    """Where a program of PostgreSQL is. Raises `NotBackedUp` that says what to install."""
    found = shutil.which(name)
    if found is None:
        raise NotBackedUp(f"{name} is not installed; it comes with PostgreSQL's client programs (postgresql-client).")
    return found
