"""Starts the room."""

import pathlib
import tempfile

from board import database, settings
from board.pools import pool_for
from board.web import serve

told = settings.read()
with tempfile.TemporaryDirectory() as place:
    path = f"{place}/board.db"
    database.begin(path, pathlib.Path("seed.csv").read_text())
    serve(pool_for(told, path), told["port"])
