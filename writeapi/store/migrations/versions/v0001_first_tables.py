"""Contributors and their keys, run reports, submissions, answers to idempotent requests, and the audit."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

RUN_STATES = "state IN ('pending', 'approved', 'rejected', 'withdrawn')"
SUBMISSION_STATES = (
    "state IN ('queued', 'screened', 'accepted', 'published', 'rejected', 'changes_requested', 'withdrawn')"
)


def texts(*names: str) -> list[sa.Column[str]]:
    """Columns of text; one whose name ends in `?` may be empty."""
    return [sa.Column(name.rstrip("?"), sa.Text(), nullable=name.endswith("?")) for name in names]


def upgrade() -> None:
    """Make the tables; constraints are named as `metadata` of the schema says."""
    op.create_table(
        "contributors",
        sa.Column("id", sa.Integer(), primary_key=True),
        *texts("handle", "folded", "email?", "role", "created", "revoked?"),
        sa.UniqueConstraint("folded"),
        sa.CheckConstraint("role IN ('contributor', 'editor')", name="role"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("contributor_id", sa.Integer(), sa.ForeignKey("contributors.id"), nullable=False, index=True),
        sa.Column("hash", sa.LargeBinary(), nullable=False, unique=True),
        *texts("prefix", "created", "revoked?"),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.Text(), primary_key=True),
        *texts("playbook", "playbook_version", "agent", "agent_version?", "model?"),
        *texts("outcome", "what_changed?", "lesson?"),
        sa.Column("duration_minutes", sa.Integer()),
        *texts("reporter?"),
        sa.Column("contributor_id", sa.Integer(), sa.ForeignKey("contributors.id"), index=True),
        *texts("origin", "state"),
        sa.Column("version", sa.Integer(), nullable=False),
        *texts("created", "updated"),
        sa.CheckConstraint(RUN_STATES, name="state"),
    )
    op.create_index("ix_runs_state", "runs", ["state", "playbook"])
    op.create_table(
        "submissions",
        sa.Column("id", sa.Text(), primary_key=True),
        *texts("kind", "title", "body", "agent?", "playbook?", "source_url?", "reporter?"),
        sa.Column("payload", sa.JSON(none_as_null=True)),
        sa.Column("contributor_id", sa.Integer(), sa.ForeignKey("contributors.id"), index=True),
        *texts("origin"),
        sa.Column("edit_hash", sa.LargeBinary()),
        *texts("state"),
        sa.Column("version", sa.Integer(), nullable=False),
        *texts("place?", "created", "updated"),
        sa.CheckConstraint(SUBMISSION_STATES, name="state"),
    )
    op.create_index("ix_submissions_state", "submissions", ["state", "created"])
    op.create_table(
        "answers",
        sa.Column("caller", sa.Text(), primary_key=True),
        sa.Column("key_hash", sa.LargeBinary(), primary_key=True),
        sa.Column("body_hash", sa.LargeBinary(), nullable=False),
        *texts("subject", "created"),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), primary_key=True),
        *texts("subject"),
        sa.Column("version", sa.Integer()),
        *texts("at", "who", "was?", "became"),
        sa.Column("reasons", sa.JSON(), nullable=False),
        *texts("note?"),
        sa.UniqueConstraint("subject", "version"),
    )
