"""The tables, the same on SQLite and PostgreSQL; `migrations/` builds them, and a test holds the two together."""

from enum import StrEnum

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

from library.records.vocabulary import OutboxState, RunState, SubmissionState

REVISION = "0002"
"""The newest migration: a store works only on a database that stands at it."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


class Moment(TypeDecorator[str]):
    """A time: text of one length with microseconds, so that its order is that of time; it comes out to the second."""

    impl = Text
    cache_ok = True

    def process_result_value(self, value: str | None, _dialect: Dialect) -> str | None:
        """RFC 3339, in UTC."""
        return value and to_the_second(value)


def to_the_second(moment: str) -> str:
    """A time of the database as everybody else sees it."""
    return f"{moment[:19]}Z"


class State(TypeDecorator[StrEnum]):
    """A word of one vocabulary."""

    impl = Text
    cache_ok = True

    def __init__(self, vocabulary: type[StrEnum]) -> None:
        super().__init__()
        self.vocabulary = vocabulary

    def process_result_value(self, value: str | None, _dialect: Dialect) -> StrEnum | None:
        """The word as its vocabulary has it."""
        return None if value is None else self.vocabulary(value)


contributors = Table(
    "contributors",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("handle", Text, nullable=False),
    Column("folded", Text, nullable=False, unique=True),
    Column("email", Text),
    Column("role", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("revoked", Moment),
    CheckConstraint("role IN ('contributor', 'editor')", name="role"),
)

keys = Table(
    "keys",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("contributor_id", Integer, ForeignKey("contributors.id"), nullable=False, index=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("prefix", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("revoked", Moment),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("playbook", Text, nullable=False),
    Column("playbook_version", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("agent_version", Text),
    Column("model", Text),
    Column("outcome", Text, nullable=False),
    Column("what_changed", Text),
    Column("lesson", Text),
    Column("duration_minutes", Integer),
    Column("reporter", Text),
    Column("contributor_id", Integer, ForeignKey("contributors.id"), index=True),
    Column("origin", Text, nullable=False),
    Column("state", State(RunState), nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", Moment, nullable=False),
    Column("updated", Moment, nullable=False),
    CheckConstraint("state IN ('pending', 'approved', 'rejected', 'withdrawn')", name="state"),
    Index("ix_runs_state", "state", "playbook"),
)

submissions = Table(
    "submissions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("agent", Text),
    Column("playbook", Text),
    Column("source_url", Text),
    Column("reporter", Text),
    Column("payload", JSON(none_as_null=True)),
    Column("contributor_id", Integer, ForeignKey("contributors.id"), index=True),
    Column("origin", Text, nullable=False),
    Column("edit_hash", LargeBinary),
    Column("state", State(SubmissionState), nullable=False),
    Column("version", Integer, nullable=False),
    Column("place", Text),
    Column("created", Moment, nullable=False),
    Column("updated", Moment, nullable=False),
    CheckConstraint(
        "state IN ('queued', 'screened', 'accepted', 'published', 'rejected', 'changes_requested', 'withdrawn')",
        name="state",
    ),
    Index("ix_submissions_state", "state", "created"),
)

answers = Table(
    "answers",
    metadata,
    Column("caller", Text, primary_key=True),
    Column("key_hash", LargeBinary, primary_key=True),
    Column("body_hash", LargeBinary, nullable=False),
    Column("subject", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("answer", LargeBinary, nullable=False),
)
"""What was answered to a request with an idempotency key. The key is what a caller wrote: only its hash is kept."""

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("subject", Text, nullable=False),
    Column("version", Integer),
    Column("at", Moment, nullable=False),
    Column("who", Text, nullable=False),
    Column("was", Text),
    Column("became", Text, nullable=False),
    Column("reasons", JSON, nullable=False),
    Column("note", Text),
    UniqueConstraint("subject", "version"),
)
"""One row for each creation and transition. `subject` is a run's or a submission's id, or `c:<contributor id>`."""

reviews = Table(
    "reviews",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("subject", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("advice", Text, nullable=False),
    Column("findings", JSON, nullable=False),
    Column("at", Moment, nullable=False),
    CheckConstraint("advice IN ('accept', 'editor', 'reject')", name="advice"),
    UniqueConstraint("subject", "version"),
)
"""What the review agent found in one version of a run or a submission."""

drafts = Table(
    "drafts",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("files", JSON, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("who", Text, nullable=False),
    Column("at", Moment, nullable=False),
)
"""The files that an editor makes of a submission, before it is accepted: `[{file, text, base}]`."""

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("subject", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("file", Text, nullable=False),
    Column("text", Text),
    Column("base", Text),
    Column("state", State(OutboxState), nullable=False),
    Column("created", Moment, nullable=False),
    Column("done", Moment),
    Column("went", Text),
    CheckConstraint("state IN ('waiting', 'written', 'cancelled')", name="state"),
    UniqueConstraint("subject", "version", "file"),
    Index("ix_outbox_state", "state", "id"),
)
"""What has to become a file of the content, written in the transaction that decided it. `text` is empty for a run
report: its file is made from its row. `base` is the SHA-256 of the file that it replaces, empty for a new one."""

sessions = Table(
    "sessions",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("key_id", Integer, ForeignKey("keys.id"), nullable=False),
    Column("csrf", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
)
"""Editors who are signed in at the pages of review, each by a key; a session is known by its hash only."""
