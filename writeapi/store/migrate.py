"""Bring a database to the newest schema: one transaction, one process at a time, repeatable after any crash."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config

from .engine import Database

_MIGRATIONS = Path(__file__).parent / "migrations"


def configuration() -> Config:
    """Alembic's configuration, without a file: everything about it is known here."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


def migrate(database: Database) -> None:
    """Run the migrations that are missing. Raises `Unavailable`."""
    config = configuration()
    with database.migrating() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
