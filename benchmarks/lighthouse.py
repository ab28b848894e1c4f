"""What Lighthouse says of a release build of the real content, in its mobile profile, as the median of several runs.

`python -m benchmarks.lighthouse [--short] [--rounds N]`
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.harness import ROOT, options, table
from tests.site.lighthouse import CATEGORIES, PAGES, failed, run, scores
from tests.site.released import released


def main() -> None:
    """Build, serve, measure, say."""
    asked = options(__doc__, short={"rounds": 1}, rounds=5)
    with tempfile.TemporaryDirectory() as folder, released("real", ROOT / "content", Path(folder)) as site:
        reports = {
            name: [run(site.address + path, Path(folder)) for _ in range(asked.rounds)] for name, path in PAGES.items()
        }
    table(["page", *CATEGORIES], ([name, *scores(runs).values()] for name, runs in reports.items()))
    for name, runs in reports.items():
        for audit in (audit for category in CATEGORIES[1:] for audit in failed(runs[-1], category)):
            print(f"  {name}: {audit}")


if __name__ == "__main__":
    main()
