"""Postage of a small shop."""
