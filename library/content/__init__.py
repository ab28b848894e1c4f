"""Content as files: YAML to plain values and back, the folder read whole, its history in git, and new files."""
