"""The shop's books."""
