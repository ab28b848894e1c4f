"""Step 3: the schema refuses what is wrong, lets a field be empty with a reason, and keeps money to the last digit.

    check-3.py 'python schema.py' --row good.json --money net --date date --code currency --empty due

The command reads one row as JSON, prints it as it will be kept and exits 0, or exits with another code. good.json is a
row that it takes. Exit code 0: all as it should be.
"""

import argparse
import json
import pathlib
import shlex
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("--row", required=True)
    for name in ("money", "date", "code", "empty"):
        parser.add_argument(f"--{name}", required=True, action="append")
    told = parser.parse_args()
    good = json.loads(pathlib.Path(told.row).read_text())
    wrong = []

    def kept(**changes):
        """The row as the schema keeps it; None where it refuses."""
        said = subprocess.run(
            shlex.split(told.command), input=json.dumps({**good, **changes}), capture_output=True, text=True
        )
        return json.loads(said.stdout) if said.returncode == 0 else None

    if kept() is None:
        sys.exit("the schema refuses the good row: nothing else can be said")
    bad = [(name, value) for name in told.money for value in ("12.50.00", "12,50 or so")]
    bad += [(name, value) for name in told.date for value in ("2026-13-01", "2026-02-30")]
    bad += [(name, value) for name in told.code for value in ("XXQ",)]
    for name, value in bad:
        if kept(**{name: value}) is not None:
            wrong.append(f"{name} = {value!r} is accepted: refuse it, do not mend it")
    for name in told.empty:
        if kept(**{name: None, "reasons": {}}) is not None:
            wrong.append(f"{name} may be empty without a reason")
        row = kept(**{name: None, "reasons": {name: "not on the page"}})
        if row is None:
            wrong.append(f"{name} may not be empty with a reason: whoever fills it will invent")
        elif row.get(name) is not None:
            wrong.append(f"an empty {name} is filled with {row[name]!r}: no defaults")
    for name in told.money:
        if kept(**{name: None, "reasons": {}}) is not None:
            wrong.append(f"{name} may be absent without a reason")
    for name in told.money:
        for value in ("0.10", "90071992547409930.01", "-12.50"):
            row = kept(**{name: value})
            if row is None or row.get(name) != value:
                wrong.append(f"{name} = {value!r} is kept as {row and row.get(name)!r}: strings to Decimal, no floats")
    print("\n".join(wrong) or "the schema holds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
