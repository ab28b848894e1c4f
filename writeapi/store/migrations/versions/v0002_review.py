"""What reviewing needs: screenings, editors' drafts, the outbox and sessions."""

import sqlalchemy as sa
from alembic import op

from writeapi.store.migrations.versions.v0001_first_tables import texts

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "reviews",
        sa.Column("id", sa.Integer(), primary_key=True),
        *texts("subject"),
        sa.Column("version", sa.Integer(), nullable=False),
        *texts("advice"),
        sa.Column("findings", sa.JSON(), nullable=False),
        *texts("at"),
        sa.CheckConstraint("advice IN ('accept', 'editor', 'reject')", name="advice"),
        sa.UniqueConstraint("subject", "version"),
    )
    op.create_table(
        "drafts",
        sa.Column("subject", sa.Text(), primary_key=True),
        sa.Column("files", sa.JSON(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        *texts("who", "at"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), primary_key=True),
        *texts("subject"),
        sa.Column("version", sa.Integer(), nullable=False),
        *texts("file", "text?", "base?", "state", "created", "done?", "went?"),
        sa.CheckConstraint("state IN ('waiting', 'written', 'cancelled')", name="state"),
        sa.UniqueConstraint("subject", "version", "file"),
    )
    op.create_index("ix_outbox_state", "outbox", ["state", "id"])
    op.create_table(
        "sessions",
        sa.Column("hash", sa.LargeBinary(), primary_key=True),
        sa.Column("key_id", sa.Integer(), sa.ForeignKey("keys.id"), nullable=False),
        *texts("csrf", "created", "expires"),
    )
