"""Step 6, PostgreSQL: the comparison says 0 differences on the copy, and sees each fault that is planted.

    check-6.py COMPARE --copy DATABASE --fault SQL [--fault ...] [--anchor DATABASE]

COMPARE's last line is `differences: N`. Each fault, a statement that changes rows of the new shape, is planted in a fresh
database made from the copy, with triggers off; --copy itself is not touched. Psql finds the server by PGHOST and so on.
"""

import argparse
import re
import subprocess
import sys


def psql(base, *words):
    argv = ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-d", base, *words]
    return subprocess.run(argv, capture_output=True, text=True)


def compared(base, file):
    """How many differences; None where the comparison broke or does not say."""
    said = psql(base, "-f", file)
    last = (said.stdout.strip().splitlines() or [""])[-1]
    found = re.fullmatch(r"differences: (\d+)", last.strip())
    return int(found[1]) if found and not said.returncode else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("compare")
    parser.add_argument("--copy", required=True)
    parser.add_argument("--fault", required=True, action="append")
    parser.add_argument("--anchor", default="postgres", help="a database to connect to")
    told = parser.parse_args()
    wrong, place = [], "check_fault"
    for fault in ("", *told.fault):
        psql(told.anchor, "-c", f"DROP DATABASE IF EXISTS {place}")
        made = psql(told.anchor, "-c", f"CREATE DATABASE {place} TEMPLATE {told.copy}")
        if made.returncode:
            sys.exit(f"no copy of {told.copy} can be made: {made.stderr.strip()}")
        if fault:
            planted = psql(place, "-c", "SET session_replication_role = replica", "-c", f"WITH planted AS ({fault} RETURNING 1) SELECT count(*) FROM planted")
            if planted.returncode or planted.stdout.strip() == "0":
                wrong.append(f"planted nothing: {fault} {planted.stderr.strip()}")
                continue
        found = compared(place, told.compare)
        if not fault and found != 0:
            wrong.append(f"{told.compare} says differences: {found} of the copy as it is")
        elif fault and not found:
            wrong.append(f"{told.compare} says differences: {found} after {fault}")
    psql(told.anchor, "-c", f"DROP DATABASE IF EXISTS {place}")
    print("\n".join(wrong) or "0 differences, and each planted fault is seen")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
