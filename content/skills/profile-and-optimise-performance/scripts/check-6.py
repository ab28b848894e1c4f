"""Step 6: each kept commit is faster than the one before it by more than the spread, and says so with figures that hold.

    check-6.py BASE --run 'python run.py {input}' --input data/evening.txt [--pairs 10] [--clock cpu]

BASE is a whole commit id. Each commit after it is measured against its parent, in turn, in folders of their own: whole
runs, each a fresh process. Its message holds `before 1.20 s, after 0.31 s, spread 0.04 s`; commits of no more than words
(--words '*.md') need none. --clock cpu counts the processor's time, for machines that are not quiet. Exit code 0: every
commit pays.
"""

import argparse
import fnmatch
import pathlib
import re
import shlex
import statistics
import sys
import tempfile

from versions import Version, base_of, git

FIGURES = re.compile(r"before (\d+(?:\.\d+)?) m?s\b.*?after (\d+(?:\.\d+)?) m?s\b.*?spread \d+(?:\.\d+)? m?s\b", re.S)


def spread(values):
    first, _, third = statistics.quantiles(values, n=4)
    return third - first


def measured(commit, place, told):
    """Seconds of the parent's runs, and of the commit's."""
    both = [Version(f"{place}/{commit[:12]}-{name}", ref) for name, ref in (("old", f"{commit}~"), ("new", commit))]
    command = told.run.replace("{input}", shlex.quote(str(pathlib.Path(told.input).resolve())))
    times = ([], [])
    for _ in range(told.pairs):
        for version, taken in zip(both, times, strict=True):
            run = version.run(command)
            if run.code:
                sys.exit(f"{command} breaks in {version.folder.name}")
            taken.append(getattr(run, told.clock))
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base", type=base_of)
    for name in ("run", "input"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--words", default="*.md")
    told = parser.parse_args()
    commits = git("rev-list", "--reverse", "--first-parent", f"{told.base}..HEAD").split()
    wrong = [] if commits else [f"there is no commit after {told.base}: keep each attempt as one"]
    if git("diff", "--name-only", "HEAD"):
        wrong.append("there are changes that no commit holds")
    with tempfile.TemporaryDirectory() as place:
        for commit in commits:
            files = git("diff", "--name-only", f"{commit}~", commit).split()
            if files and all(fnmatch.fnmatch(name, told.words) for name in files):
                continue
            times = measured(commit, place, told)
            before, after = map(statistics.median, times)
            noise = max(map(spread, times))
            print(f"{commit[:12]} before {before:.3f} s, after {after:.3f} s, spread {noise:.3f} s")
            if before - after <= max(noise, 0.05 * before):
                wrong.append(
                    f"{commit[:12]} gains no more than the spread: revert it, and keep it on the list of ideas tried"
                )
            claim = FIGURES.search(git("log", "-1", "--format=%B", commit))
            if not claim:
                wrong.append(f"{commit[:12]}: the message has no `before … s, after … s, spread … s`")
            elif not 0.5 < (float(claim[1]) / max(float(claim[2]), 1e-9)) / (before / after) < 2:
                wrong.append(
                    f"{commit[:12]}: the message claims {claim[0]!r}, and that is not what a second measurement gives"
                )
    print("\n".join(wrong) or "every commit pays")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
