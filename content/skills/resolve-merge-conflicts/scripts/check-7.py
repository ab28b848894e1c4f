"""Step 7: no test that passed on a tip is missing, skipped or red in the merge, and what each side built can be seen.

    check-7.py FIRST SECOND MERGE --test 'python3 -m unittest -v' [--renamed OLD=NEW] [--first 'COMMAND'] [--second 'COMMAND']

The tests run on the base, both tips and the merge, each in a clean folder. --passed is a pattern whose group is the id of a
test that passed; by default it reads unittest -v, pytest -rA and go test -v. A command of --first prints the same on FIRST
and in the merge, one of --second the same as on SECOND: give one for each thing that a side built.
"""

import argparse
import re
import subprocess

from commits import base_of, laid_out, said

PASSED = r"(?m)^(?:PASSED (\S.*)|(\w+ \(\S+\))(?:\n.*)? \.\.\. ok|\s*--- PASS: (\S+).*)$"


def printed(command, tree):
    ran = subprocess.run(command, shell=True, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return ran.stdout, ran.returncode


def problems(told):
    refs = {"base": base_of(told.first, told.second), "first": told.first, "second": told.second, "merge": told.merge}
    passed, shown = {}, {}
    for name, ref in refs.items():
        with laid_out(ref) as tree:
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
    told = parser.parse_args()
    told.shows = {"first": told.shows_first, "second": told.shows_second}
    said(problems(told), "the tests of both sides pass, and what they built is there")


if __name__ == "__main__":
    main()
