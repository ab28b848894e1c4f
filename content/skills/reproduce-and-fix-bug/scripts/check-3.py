"""Step 3: the reproduction says 1, 0 and 125 where it should, each time in a fresh clone.

    check-3.py REPO BAD --repro SCRIPT [--good GOOD] [--broken COMMAND] [--runs 5] [--sometimes]

The script is run with a checkout as its folder: 1 at BAD, 0 there with --without (the trigger left out), 0 at GOOD. --broken is
a command that spoils the program in the checkout so that it cannot start: the script says 125, since it could not look.
--sometimes: one run of --runs at BAD says 1, the others 0.
"""

import argparse
import collections
import pathlib
import subprocess
import sys

from checkouts import checkout, ran


def codes(told, ref, option="", spoil=None, runs=1):
    found = []
    for _ in range(runs):
        with checkout(told.repo, ref) as tree:
            if spoil:
                subprocess.run(spoil, shell=True, cwd=tree, check=True)
            found.append(ran(f"'{told.repro.resolve()}' {option}", tree)[0])
    return found


def problems(told):
    if told.repro.resolve().is_relative_to(told.repo.resolve()):
        yield f"{told.repro} lies in the repository: a checkout of another commit changes or removes it"
    bad = codes(told, told.bad, runs=told.runs)
    if told.sometimes and 1 in bad and set(bad) <= {0, 1}:
        print(f"at {told.bad}: {bad.count(1)} of {told.runs} runs exit 1")
    elif bad != [1] * told.runs:
        yield f"at {told.bad} it exits {dict(collections.Counter(bad))}, not 1 each time"
    for ref, option, runs in ((told.bad, "--without", told.runs), (told.good, "", 3)):
        if ref and (found := codes(told, ref, option, runs=runs)) != [0] * runs:
            yield f"at {ref} {option}".strip() + f" it exits {dict(collections.Counter(found))}, not 0 each time"
    if told.broken and (found := codes(told, told.bad, spoil=told.broken)) != [125]:
        yield f"where the program cannot start it exits {found[0]}, not 125: it does not look at the running program"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("repo", type=pathlib.Path)
    parser.add_argument("bad")
    parser.add_argument("--repro", required=True, type=pathlib.Path)
    parser.add_argument("--good")
    parser.add_argument("--broken")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sometimes", action="store_true")
    try:
        wrong = list(problems(parser.parse_args()))
    except subprocess.CalledProcessError as error:
        wrong = [f"could not: {error.cmd} {error.stderr or ''}"]
    print("\n".join(wrong) or "the reproduction says 1, 0 and 125 where it should")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
