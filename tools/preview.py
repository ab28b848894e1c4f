"""What a change makes of the site, for a comment on its pull request: pages added, changed and removed, and trust.

python -m tools.preview BEFORE AFTER      two built sites
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHOWN = 40
"""How many rows of a kind are listed; the rest are counted."""
_DIGEST = re.compile(rb"(/assets/[a-z0-9-]+)\.[0-9a-f]{10}\.")


def main() -> None:
    """Print the text of the comment."""
    before, after = (Path(name) for name in sys.argv[1:3])
    print("\n".join(lines(before, after)))


def lines(before: Path, after: Path) -> Iterator[str]:
    """The text, line by line. It is no markdown: whoever posts it puts it into a fence."""
    old, new = pages(before), pages(after)
    kinds = {
        "added": sorted(new.keys() - old.keys()),
        "removed": sorted(old.keys() - new.keys()),
        "changed": sorted(path for path in new.keys() & old.keys() if new[path] != old[path]),
    }
    yield ", ".join(f"{len(found)} pages {kind}" for kind, found in kinds.items()) + "."
    for kind, found in kinds.items():
        yield from _list(f"Pages {kind}", found)
    yield from _list("Trust", list(_trust(levels(before), levels(after))))


def pages(site: Path) -> dict[str, bytes]:
    """Every page of a site by its path, without the digests of its assets."""
    found = sorted(site.resolve().rglob("*.html"))
    return {f"/{path.relative_to(site.resolve())}".removesuffix("index.html"): _bare(path) for path in found}


def _bare(path: Path) -> bytes:
    return _DIGEST.sub(rb"\1.", path.read_bytes())


def levels(site: Path) -> dict[str, str]:
    """The trust of every playbook by its slug."""
    rows: dict[str, Any] = json.loads((site / "api/v1/playbooks.json").read_bytes())
    return {row["slug"]: row["trust"] for row in rows["items"]}


def _trust(old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    for slug in sorted(old.keys() | new.keys()):
        was, now = old.get(slug, "not there"), new.get(slug, "not there")
        if was != now:
            yield f"{slug}: {was} → {now}"


def _list(title: str, rows: list[str]) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield f"{title}:"
    yield from (f"- {row}" for row in rows[:SHOWN])
    if len(rows) > SHOWN:
        yield f"- … and {len(rows) - SHOWN} more"


if __name__ == "__main__":
    main()
