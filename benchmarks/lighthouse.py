"""What Lighthouse says of a release build of the real content, in its mobile profile, as the median of several runs.

`python -m benchmarks.lighthouse [--short] [--rounds N]`
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from build.settings import PROJECT
from tests.site.lighthouse import CATEGORIES, PAGES, failed, run, scores
from tests.site.released import released


def main() -> None:
    """Build, serve, measure, say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="One run a page.")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rounds = 1 if options.short else options.rounds
    print(f"Lighthouse, mobile, median of {rounds}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"| page | {' | '.join(CATEGORIES)} |")
    print(f"| --- |{' ---: |' * len(CATEGORIES)}")
    with tempfile.TemporaryDirectory() as folder, released("real", PROJECT / "content", Path(folder)) as site:
        for name, path in PAGES.items():
            reports = [run(site.address + path, Path(folder)) for _ in range(rounds)]
            found = scores(reports)
            print(f"| {name} | {' | '.join(f'{found[category]:.0f}' for category in CATEGORIES)} |", flush=True)
            for category in CATEGORIES[1:]:
                for audit in failed(reports[-1], category):
                    print(f"  {name}, {category}: {audit}")


if __name__ == "__main__":
    main()
