"""The build: a checked library becomes artifacts, and artifacts become files that any static host can serve."""
