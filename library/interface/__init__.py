"""The interface as data: every operation, what is sent and answered, every kind of error and reason."""
