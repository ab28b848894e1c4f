"""A process that holds a lock on a file of SQLite until it is told to end: `python holder.py FILE read|write`."""

from __future__ import annotations

import sqlite3
import sys


def hold(file: str, how: str) -> None:
    """Hold it: `write` locks writers out, `read` keeps the log from being emptied."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE" if how == "write" else "BEGIN")
    connection.execute("SELECT count(*) FROM runs").fetchall()
    sys.stdout.write("held\n")
    sys.stdout.flush()
    sys.stdin.readline()
    connection.execute("COMMIT")
    connection.close()


if __name__ == "__main__":
    hold(*sys.argv[1:])
