"""Make tide.db from migrations/."""

import pathlib
import sqlite3

from clock import spend

spend("migrate")
with sqlite3.connect("tide.db") as base:
    for path in sorted(pathlib.Path("migrations").glob("*.sql")):
        base.executescript(path.read_text())
base.close()
