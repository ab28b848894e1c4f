"""The way to the disk: files written whole, generations behind a link, compressed forms."""
