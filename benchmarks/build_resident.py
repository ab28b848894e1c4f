"""Edits in a process that builds again and again, as `serve --watch` does: `python -m … CONTENT OUT DAY`.

Prints two medians in seconds: until the edited playbook's own files are written, and until the build has ended.
"""

from __future__ import annotations

import sys
import time
from datetime import date
from pathlib import Path
from statistics import median

from build.pipeline import LISTS, BuildSettings
from build.resident import Resident

EDITS = 5


def main() -> None:
    """Change the title of one playbook after another, and build after each."""
    content, out, day = sys.argv[1:]
    told: list[float] = []
    settings = BuildSettings(
        Path(content),
        Path(out),
        date.fromisoformat(day),
        jobs=1,
        progress=lambda stage: told.append(time.perf_counter()) if stage == LISTS else None,
    )
    resident = Resident()
    resident.build(settings)
    first, whole = [], []
    for number, path in enumerate(sorted((Path(content) / "playbooks").iterdir())[-EDITS:]):
        path.write_text(
            path.read_text(encoding="utf-8").replace("title: ", f"title: Edit {number} ", 1), encoding="utf-8"
        )
        told.clear()
        began = time.perf_counter()
        resident.build(settings)
        first.append(told[0] - began)
        whole.append(time.perf_counter() - began)
    print(f"{median(first):.2f} {median(whole):.2f}")


if __name__ == "__main__":
    main()
