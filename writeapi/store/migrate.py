"""Bring a database to the newest schema: one transaction, one process at a time, repeatable after any crash."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, insert, inspect, select

from .engine import Database
from .schema import REVISION, metadata

if TYPE_CHECKING:
    from alembic.config import Config

_MIGRATIONS = Path(__file__).parent / "migrations"
VERSIONS = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""As Alembic makes it."""


def migrate(database: Database) -> None:
    """Make a new database at the newest schema, or run the migrations that one lacks. Raises `Unavailable`.

    Alembic is loaded only for a database that is there and stands elsewhere: to load it takes a tenth of a start.
    """
    with database.migrating() as connection:
        tables = inspect(connection).get_table_names()
        if not tables:
            metadata.create_all(connection, checkfirst=False)
            VERSIONS.create(connection)
            connection.execute(insert(VERSIONS).values(version_num=REVISION))
        elif VERSIONS.name not in tables or connection.scalar(select(VERSIONS.c.version_num)) != REVISION:
            upgrade(connection)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the migrations that are missing up to one, in the transaction of a connection."""
    config = configuration()
    config.attributes["connection"] = connection
    import_module("alembic.command").upgrade(config, revision)


def configuration() -> Config:
    """Alembic's configuration, without a file: everything about it is known here."""
    config: Config = import_module("alembic.config").Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config
