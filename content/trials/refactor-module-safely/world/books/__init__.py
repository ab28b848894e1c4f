"""Postings from bank lines."""
