"""What reviewing needs: screenings, editors' drafts, the outbox and sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables."""
    _reviews()
    _drafts()
    _outbox()
    _sessions()


def _reviews() -> None:
    op.create_table(
        "reviews",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("advice", sa.Text(), nullable=False),
        sa.Column("findings", sa.JSON(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviews")),
        sa.CheckConstraint("advice IN ('accept', 'editor', 'reject')", name=op.f("ck_reviews_advice")),
        sa.UniqueConstraint("subject", "version", name=op.f("uq_reviews_subject")),
    )


def _drafts() -> None:
    op.create_table(
        "drafts",
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("files", sa.JSON(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("subject", name=op.f("pk_drafts")),
    )


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("text", sa.Text()),
        sa.Column("base", sa.Text()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("done", sa.Text()),
        sa.Column("went", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.CheckConstraint("state IN ('waiting', 'written', 'cancelled')", name=op.f("ck_outbox_state")),
        sa.UniqueConstraint("subject", "version", "file", name=op.f("uq_outbox_subject")),
    )
    op.create_index("ix_outbox_state", "outbox", ["state", "id"])


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("key_id", sa.Integer(), nullable=False),
        sa.Column("csrf", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("expires", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_sessions")),
        sa.ForeignKeyConstraint(["key_id"], ["keys.id"], name=op.f("fk_sessions_key_id")),
    )
