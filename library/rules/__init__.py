"""What is concluded from records: checks, trust, statistics, neighbours, private data. Pure functions."""
