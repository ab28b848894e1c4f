"""The tables, the same on SQLite and PostgreSQL, and the way from an older database to this one.

It is one transaction, by one process at a time, repeatable after any crash.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy import JSON, CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, Table, Text

from library.records.vocabulary import OutboxState, RunState, SubmissionState

from .engine import PostgresDatabase, SqliteDatabase, Unavailable

REVISION = "0005"  # the newest schema: a store works only on a database that stands at it

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


class Moment(sa.TypeDecorator[str]):
    """A time: text of one length with microseconds, so that its order is that of time; it comes out to the second."""

    impl = Text
    cache_ok = True

    def process_result_value(self, value: str | None, _dialect: sa.Dialect) -> str | None:
        """RFC 3339, in UTC."""
        return value and to_second(value)


def to_second(moment: str) -> str:
    """A time of the database as everybody else sees it."""
    return f"{moment[:19]}Z"


def _state(vocabulary: type[StrEnum]) -> sa.Enum:
    """A word of one vocabulary."""
    words = list(map(str, vocabulary))
    return sa.Enum(vocabulary, native_enum=False, create_constraint=True, name="state", values_callable=lambda _: words)


def _columns(kind: sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]], *names: str) -> list[Column[Any]]:
    """Columns of one type; one whose name ends in `?` may be empty."""
    return [Column(name.rstrip("?"), kind, nullable=name.endswith("?")) for name in names]


contributors = Table(
    "contributors",
    metadata,
    Column("id", Integer, primary_key=True),
    *_columns(Text, "handle", "folded", "email?", "role", "alike?"),
    *_columns(Moment, "created", "revoked?"),
    CheckConstraint("role IN ('contributor', 'editor')", name="role"),
    sa.UniqueConstraint("folded"),
    Index("ix_contributors_alike", "alike", unique=True),
)
"""`alike` is `folded` without hyphens."""

keys = Table(
    "keys",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("contributor_id", Integer, ForeignKey("contributors.id"), nullable=False, index=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    *_columns(Text, "prefix", "scopes?", "until?"),
    *_columns(Integer, "parent_id?"),
    *_columns(Moment, "created", "revoked?"),
)
"""`scopes` has blanks between them, and is empty for a key from before there were any: it has all. `until` is the last
day on which it holds. `parent_id` is the key that minted it."""

runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("contributor_id", Integer, ForeignKey("contributors.id"), index=True),
    *_columns(Text, "playbook", "playbook_version", "agent", "agent_version?", "model?", "outcome", "what_changed?"),
    *_columns(Text, "lesson?", "reporter?", "origin"),
    *_columns(Integer, "duration_minutes?", "version"),
    *_columns(LargeBinary, "edit_hash?"),
    *_columns(_state(RunState), "state"),
    *_columns(Moment, "created", "updated"),
    Index("ix_runs_state", "state", "playbook"),
)

submissions = Table(
    "submissions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("contributor_id", Integer, ForeignKey("contributors.id"), index=True),
    *_columns(Text, "kind", "title", "body", "agent?", "playbook?", "source_url?", "reporter?", "origin", "place?"),
    *_columns(JSON(none_as_null=True), "payload?"),
    *_columns(LargeBinary, "edit_hash?"),
    *_columns(_state(SubmissionState), "state"),
    *_columns(Integer, "version"),
    *_columns(Moment, "created", "updated"),
    Index("ix_submissions_state", "state", "created"),
)

answers = Table(
    "answers",
    metadata,
    Column("caller", Text, primary_key=True),
    Column("key_hash", LargeBinary, primary_key=True),
    *_columns(LargeBinary, "body_hash", "answer"),
    *_columns(Text, "subject"),
    *_columns(Moment, "created"),
)
"""What was answered to a request with an idempotency key. The key is what a caller wrote: only its hash is kept."""

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    *_columns(Text, "subject", "who", "was?", "became", "note?"),
    *_columns(Integer, "version?"),
    *_columns(Moment, "at"),
    *_columns(JSON, "reasons"),
    sa.UniqueConstraint("subject", "version"),
)
"""One row for each creation and transition. `subject` is a run's or a submission's id, or `c:<contributor id>`."""

reviews = Table(
    "reviews",
    metadata,
    Column("id", Integer, primary_key=True),
    *_columns(Text, "subject", "advice"),
    *_columns(Integer, "version"),
    *_columns(JSON, "findings"),
    *_columns(Moment, "at"),
    CheckConstraint("advice IN ('accept', 'editor', 'reject')", name="advice"),
    sa.UniqueConstraint("subject", "version"),
)
"""What the review agent found in one version of a run or a submission."""

drafts = Table(
    "drafts",
    metadata,
    Column("subject", Text, primary_key=True),
    *_columns(JSON, "files"),
    *_columns(Integer, "revision"),
    *_columns(Text, "who"),
    *_columns(Moment, "at"),
)
"""The files that an editor makes of a submission, before it is accepted: `[{file, text, base}]`."""

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    *_columns(Text, "subject", "file", "text?", "base?", "went?", "original?"),
    *_columns(Integer, "version"),
    *_columns(_state(OutboxState), "state"),
    *_columns(Moment, "created", "done?"),
    sa.UniqueConstraint("subject", "version", "file"),
    Index("ix_outbox_state", "state", "id"),
)
"""What has to become a file of the content, written in the transaction that decided it. `text` is empty for a run
report: its file is made from its row. `base` is the SHA-256 of the file that it replaces and
`original` its text, both empty for a new one."""

sessions = Table(
    "sessions",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("key_id", Integer, ForeignKey("keys.id"), nullable=False),
    *_columns(Text, "csrf"),
    *_columns(Moment, "created", "expires", "used?"),
)
"""Editors who are signed in at the pages of review, each by a key; a session is known by its hash only."""

leases = Table(
    "leases", metadata, Column("name", Text, primary_key=True), *_columns(Text, "holder"), *_columns(Moment, "until")
)
"""Which process may do something that one alone does at a time, and until when."""

jobs = Table(
    "jobs",
    metadata,
    Column("name", Text, primary_key=True),
    *_columns(Moment, "ended"),
    *_columns(Integer, "failures"),
    *_columns(Text, "said"),
)
"""How each job of the worker ended last. `failures` counts how often in a row it failed."""

VERSIONS = Table(
    "alembic_version",
    sa.MetaData(),
    Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""As Alembic makes it."""


def migrate(database: SqliteDatabase | PostgresDatabase) -> None:
    """Make a new database at the newest schema, or bring up one that stands at an older one. Raises `Unavailable`."""
    with database.migrating() as connection:
        bring_up(connection)


def bring_up(connection: sa.Connection) -> None:
    """Make what a database lacks: tables, and columns that may be empty. Raises `Unavailable` for one that is newer.

    Up to now each schema only added to the one before, so one way leads from all of them. Alembic is loaded only for a
    database whose tables lack a column: to load it takes a tenth of a start.
    """
    inspector = sa.inspect(connection)
    stands = connection.scalar(sa.select(VERSIONS.c.version_num)) if inspector.has_table(VERSIONS.name) else None
    if stands == REVISION:
        return
    if stands and stands > REVISION:
        raise Unavailable(f"The database stands at migration {stands}, and {REVISION} is needed.")
    former = [table for table in metadata.sorted_tables if inspector.has_table(table.name)]
    metadata.create_all(connection)
    for table in former:
        there = {column["name"] for column in inspector.get_columns(table.name)}
        for column in table.columns:
            if column.name not in there:
                from alembic.migration import MigrationContext
                from alembic.operations import Operations

                Operations(MigrationContext.configure(connection)).add_column(
                    table.name, Column(column.name, column.type)
                )
        for index in table.indexes:
            index.create(connection, checkfirst=True)
    VERSIONS.create(connection, checkfirst=True)
    connection.execute(sa.delete(VERSIONS))
    connection.execute(sa.insert(VERSIONS).values(version_num=REVISION))
