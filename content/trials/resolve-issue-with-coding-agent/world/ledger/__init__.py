"""A ledger of shared bills."""
