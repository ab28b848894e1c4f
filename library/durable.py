"""What must outlive a power cut: a file's name is on the disk only when its folder is."""

from __future__ import annotations

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Have a folder's names on the disk; raises `OSError` where it cannot be read."""
    opened = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
