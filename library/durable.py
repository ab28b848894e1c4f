"""Files that are whole: replaced at one moment, and on the disk when they must outlive a power cut."""

import os
from functools import partial
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Have a folder's names on the disk; raises `OSError` where it cannot be read."""
    opened = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def replace_file(path: Path, body: bytes, *, durable: bool = False, mode: int = 0o666) -> None:
    """Write a file whole or not at all: others may read and write it at any time. Its permissions stay.

    A new one has those of `mode`, less the umask. It is on the disk when this returns, where `durable`.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    fresh.unlink(missing_ok=True)
    try:
        with open(fresh, "xb", opener=partial(os.open, mode=mode)) as new:
            new.write(body)
            if durable:
                new.flush()
                os.fsync(new.fileno())
        if path.exists():
            fresh.chmod(path.stat().st_mode)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    if durable:
        sync_folder(path.parent)
