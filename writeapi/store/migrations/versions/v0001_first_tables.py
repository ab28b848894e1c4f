"""Contributors and their keys, run reports, submissions, answers to idempotent requests, and the audit."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

RUN_STATES = "state IN ('pending', 'approved', 'rejected', 'withdrawn')"
SUBMISSION_STATES = (
    "state IN ('queued', 'screened', 'accepted', 'published', 'rejected', 'changes_requested', 'withdrawn')"
)


def upgrade() -> None:
    """Make the tables."""
    _people()
    _runs()
    _submissions()
    _records()


def _people() -> None:
    op.create_table(
        "contributors",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("email", sa.Text()),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("revoked", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contributors")),
        sa.UniqueConstraint("folded", name=op.f("uq_contributors_folded")),
        sa.CheckConstraint("role IN ('contributor', 'editor')", name=op.f("ck_contributors_role")),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contributor_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("revoked", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_keys")),
        sa.UniqueConstraint("hash", name=op.f("uq_keys_hash")),
        sa.ForeignKeyConstraint(["contributor_id"], ["contributors.id"], name=op.f("fk_keys_contributor_id")),
    )
    op.create_index(op.f("ix_keys_contributor_id"), "keys", ["contributor_id"])


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("playbook", sa.Text(), nullable=False),
        sa.Column("playbook_version", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("agent_version", sa.Text()),
        sa.Column("model", sa.Text()),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("what_changed", sa.Text()),
        sa.Column("lesson", sa.Text()),
        sa.Column("duration_minutes", sa.Integer()),
        sa.Column("reporter", sa.Text()),
        sa.Column("contributor_id", sa.Integer()),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("updated", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
        sa.CheckConstraint(RUN_STATES, name=op.f("ck_runs_state")),
        sa.ForeignKeyConstraint(["contributor_id"], ["contributors.id"], name=op.f("fk_runs_contributor_id")),
    )
    op.create_index("ix_runs_state", "runs", ["state", "playbook"])
    op.create_index(op.f("ix_runs_contributor_id"), "runs", ["contributor_id"])


def _submissions() -> None:
    op.create_table(
        "submissions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text()),
        sa.Column("playbook", sa.Text()),
        sa.Column("source_url", sa.Text()),
        sa.Column("reporter", sa.Text()),
        sa.Column("payload", sa.JSON(none_as_null=True)),
        sa.Column("contributor_id", sa.Integer()),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("edit_hash", sa.LargeBinary()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("place", sa.Text()),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("updated", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
        sa.CheckConstraint(SUBMISSION_STATES, name=op.f("ck_submissions_state")),
        sa.ForeignKeyConstraint(["contributor_id"], ["contributors.id"], name=op.f("fk_submissions_contributor_id")),
    )
    op.create_index("ix_submissions_state", "submissions", ["state", "created"])
    op.create_index(op.f("ix_submissions_contributor_id"), "submissions", ["contributor_id"])


def _records() -> None:
    op.create_table(
        "answers",
        sa.Column("caller", sa.Text(), nullable=False),
        sa.Column("key_hash", sa.LargeBinary(), nullable=False),
        sa.Column("body_hash", sa.LargeBinary(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("caller", "key_hash", name=op.f("pk_answers")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer()),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("was", sa.Text()),
        sa.Column("became", sa.Text(), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("note", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        sa.UniqueConstraint("subject", "version", name=op.f("uq_audit_subject")),
    )
