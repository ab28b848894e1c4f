"""One build without the search index, which peers do not make: `python -m benchmarks.build_once CONTENT OUT DAY`."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path

from build import units
from build.pipeline import BuildSettings
from build.pipeline import build as build_site


def main() -> None:
    """Everything but the documents of the index."""
    vars(units).update(DOCUMENTS={})  # no subject has a document, so the index stays empty
    content, out, day = sys.argv[1:]
    build_site(BuildSettings(Path(content), Path(out), date.fromisoformat(day)))


if __name__ == "__main__":
    main()
