"""Step 7: the gain is there on inputs that nobody has tuned for, and nothing else pays for it.

    check-7.py BASE --run 'python run.py {input}' --make 'python make.py {seed} {size}' --sizes 1000 10000 100000 \\
        --at-least 3 --touch src/ [--memory 1.25] [--cpu 1.25] [--clock cpu]

BASE is a whole commit id. Base and branch run in turn in clean folders; each pair gets an input of its own, with a new
seed, and each run a fresh process and an empty home, so that preparation counts and nothing kept from a run before helps.
Seconds of the processor and memory are those of all processes together. The branch is as it stands, committed or not.
Exit code 0: the gain holds.
"""

import argparse
import fnmatch
import pathlib
import secrets
import shlex
import statistics
import subprocess
import sys
import tempfile

from versions import Version, base_of, changed_since, listed


def fresh(told, size, place, folder):
    """An input that no run has seen."""
    source = pathlib.Path(place, f"input-{size}-{secrets.token_hex(4)}")
    words = shlex.split(told.make.replace("{seed}", secrets.token_hex(4)).replace("{size}", str(size)))
    with source.open("wb") as file:
        subprocess.run(words, cwd=folder, stdout=file, check=True)
    return source


def compared(told, size, pairs, place, both):
    """Runs of both versions on fresh inputs of a size, and what is wrong with their outputs."""
    runs, wrong = ([], []), []
    for _ in range(pairs):
        command = told.run.replace("{input}", shlex.quote(str(fresh(told, size, place, both[0].folder))))
        for version, taken in zip(both, runs, strict=True):
            taken.append(version.run(command))
        before, after = runs[0][-1], runs[1][-1]
        if (before.code, before.output) != (after.code, after.output):
            wrong.append(f"size {size}: the output is not that of the base")
        if after.stayed:
            wrong.append(f"size {size}: a process stays when the run is over: a cache across runs")
    return runs, wrong


def costs(told, which, runs):
    """What a size costs on the branch, against the base."""
    size, (old, new) = told.sizes[which], runs
    before, after = (statistics.median(getattr(run, told.clock) for run in taken) for taken in runs)
    cpu, now = (statistics.median(run.cpu for run in taken) for taken in runs)
    peak, high = (max(run.memory for run in taken) for taken in runs)
    print(f"size {size}: {before:.3f} s to {after:.3f} s, processor {cpu:.3f} to {now:.3f} s, {peak} to {high} KiB")
    if which and before < told.at_least * after:
        yield f"size {size}: {before / after:.1f} times as fast, not {told.at_least}"
    if not which and after > 1.25 * before + 0.02:
        yield f"size {size}: slower than before"
    if now > told.cpu * cpu + 0.02:
        yield f"size {size}: all processes together take {now / cpu:.1f} times the processor's time"
    if high > told.memory * peak:
        yield f"size {size}: peak memory is {high / peak:.1f} times what it was"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base", type=base_of)
    for name in ("run", "make"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--sizes", type=int, nargs=3, required=True, help="a tenth, the usual one, ten times")
    parser.add_argument("--at-least", type=float, required=True)
    parser.add_argument("--memory", type=float, default=1.25)
    parser.add_argument("--cpu", type=float, default=1.25, help="times the processor's time of all processes")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--touch", action="append", default=[])
    told, wrong = parser.parse_args(), []
    changed = changed_since(told.base)
    for name in sorted(changed):
        if not any(name.startswith(place) or fnmatch.fnmatch(name, place) for place in told.touch):
            wrong.append(f"{name} changed, and is none of what was to be made faster (--touch)")
    with tempfile.TemporaryDirectory() as place:
        both = (Version(f"{place}/base", told.base), Version(f"{place}/branch", "HEAD", changed))
        there = listed(place)
        for which, size in enumerate(told.sizes):
            runs, found = compared(told, size, 1 if which == 2 else told.pairs, place, both)
            wrong += [*found, *costs(told, which, runs)]
        later = {name: when for name, when in listed(place).items() if "/input-" not in name}
        left = {name for name, when in later.items() if there.get(name) != when and "__pycache__" not in name}
        wrong += [f"a run leaves {name[len(place) + 1 :]} behind: a cache across runs" for name in sorted(left)]
    print("\n".join(dict.fromkeys(wrong)) or "the gain holds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
