"""Step 7: no test that passed on a tip is missing, skipped or red in the merge, and what each side built can be seen.

    check-7.py FIRST SECOND MERGE --test 'python3 -m unittest -v' [--renamed OLD=NEW] [--first 'COMMAND'] [--second 'COMMAND']
               [--meets 'COMMAND' 'WHAT IT PRINTS'] [--guards 'TEST COMMAND' PATH first|second]

The tests run on the base, both tips and the merge, each in a clean folder. --passed is a pattern whose group is the id of a
test that passed; by default it reads unittest -v, pytest -rA and go test -v. A command of --first prints the same on FIRST
and in the merge, one of --second the same as on SECOND: give one for each thing that a side built. No tip can show how both work together: give
--meets for each such place, with what the owners want. A command of --guards passes, and fails once PATH is as on that tip.
"""

import argparse
import re
import subprocess

from commits import base_of, laid_out, said, text

PASSED = r"(?m)^(?:PASSED (\S.*)|(\w+ \(\S+\))(?:\n.*)? \.\.\. ok|\s*--- PASS: (\S+).*)$"


def printed(command, tree):
    ran = subprocess.run(command, shell=True, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return ran.stdout, ran.returncode


def together(told, tree):
    """What the merge alone can show: both sides at once, and tests that notice when the mend is missing."""
    for command, due in told.meets:
        found = printed(command, tree)[0].strip()
        if found != due.strip():
            yield f"{command} prints {found[-200:]!r} in the merge, not {due!r}"
    for command, path, side in told.guards:
        with_it, kept = printed(command, tree)[1], (tree / path).read_bytes()
        (tree / path).write_text(text(getattr(told, side), path))
        without = printed(command, tree)[1]
        (tree / path).write_bytes(kept)
        if with_it or not without:
            yield f"{command} {'fails' if with_it else f'passes also with {path} as on {getattr(told, side)}: it guards nothing'}"


def problems(told):
    refs = {"base": base_of(told.first, told.second), "first": told.first, "second": told.second, "merge": told.merge}
    passed, shown = {}, {}
    for name, ref in refs.items():
        with laid_out(ref) as tree:
            if name == "merge":
                yield from together(told, tree)
            passed[name] = {"".join(found.groups(default="")) for found in re.finditer(told.passed, printed(told.test, tree)[0])}
            shown[name] = {command: printed(command, tree) for command in told.shows["first"] + told.shows["second"]}
    renamed = dict(one.split("=", 1) for one in told.renamed)
    for tip, other in (("first", "second"), ("second", "first")):
        if not passed[tip]:
            yield f"no test passes on {refs[tip]}: the command or --passed is wrong, or that side is broken"
        for test in sorted(passed[tip] - (passed["base"] - passed[other])):
            if renamed.get(test, test) not in passed["merge"]:
                yield f"{renamed.get(test, test)} passed on {refs[tip]} and does not pass in the merge, or is not there"
        for command in told.shows[tip]:
            if shown[tip][command][1]:
                yield f"{command} fails on {refs[tip]}, which should have it: {shown[tip][command][0][-200:]}"
            elif shown["merge"][command] != shown[tip][command]:
                yield f"{command} prints {shown[tip][command][0].strip()!r} on {refs[tip]}, {shown['merge'][command][0].strip()[-200:]!r} now"


def main():
    parser = argparse.ArgumentParser()
    for name in ("first", "second", "merge"):
        parser.add_argument(name)
    parser.add_argument("--test", required=True)
    parser.add_argument("--passed", default=PASSED)
    parser.add_argument("--renamed", action="append", default=[])
    for name in ("first", "second"):
        parser.add_argument(f"--{name}", action="append", default=[], dest=f"shows_{name}")
    parser.add_argument("--meets", nargs=2, action="append", default=[])
    parser.add_argument("--guards", nargs=3, action="append", default=[])
    told = parser.parse_args()
    told.shows = {"first": told.shows_first, "second": told.shows_second}
    said(problems(told), "the tests of both sides pass, and what they built is there")


if __name__ == "__main__":
    main()
