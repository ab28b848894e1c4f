"""The migrations of the store, for Alembic: each is one transaction together with all others that are missing."""
