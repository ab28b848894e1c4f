"""Files that are whole: replaced at one moment, and on the disk when they must outlive a power cut."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Have a folder's names on the disk; raises `OSError` where it cannot be read."""
    opened = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def replace_file(path: Path, body: bytes) -> None:
    """Write a file whole or not at all: others may read and write it at any time. Its permissions stay."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        fresh.write_bytes(body)
        if path.exists():
            fresh.chmod(path.stat().st_mode)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
