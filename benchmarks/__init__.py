"""Every figure that the project claims, as a command: measured beside a peer in the same run, told as a ratio."""
