"""Whole-library files, for release builds only: they change with every edit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .artifacts import Artifact
from .writer import write

FULL = "api/v1/playbooks/full.json"


def write_full(public: Path, slugs: Sequence[str], *, served: bool) -> int:
    """Write `GET /playbooks/full`: every playbook whole, joined from the files that were written.

    Returns the number of files written.
    """
    items = b",".join((public / "api/v1/playbooks" / f"{slug}.json").read_bytes() for slug in slugs)
    body = b'{"total":%d,"items":[%b]}' % (len(slugs), items)
    write(public, [Artifact(FULL, body)], served=served)
    return 1
