"""What the worker needs: its lease, what became of each job, and the texts that accepted changes were made from."""

import sqlalchemy as sa
from alembic import op

from writeapi.store.migrations.versions.v0001_first_tables import texts

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables, and the column."""
    op.create_table("leases", sa.Column("name", sa.Text(), primary_key=True), *texts("holder", "until"))
    op.create_table(
        "jobs",
        sa.Column("name", sa.Text(), primary_key=True),
        *texts("ended"),
        sa.Column("failures", sa.Integer(), nullable=False),
        *texts("said"),
    )
    op.add_column("outbox", sa.Column("original", sa.Text()))
