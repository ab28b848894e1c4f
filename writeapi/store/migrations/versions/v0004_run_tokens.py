"""Edit tokens of run reports, as hashes; reports of before have none."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    op.add_column("runs", sa.Column("edit_hash", sa.LargeBinary()))
