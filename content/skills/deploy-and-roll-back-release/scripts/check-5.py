"""Step 5: on staging, up, back by one command and up again, with what the new release wrote in between.

    check-5.py --up CMD --back CMD --status CMD --smoke CMD --write CMD --read 'CMD {}' --new DIGEST --old DIGEST [--log CMD]

--status prints one instance with its digest a line. --write lets the new release write and prints the ids, one a line;
--read reads the ids that stand for {} through the running release, and fails where one cannot be read as it was. --log
prints the digests that answered there, from the access log of staging: before anything is tried here, the new release and
then the old one have to be in it, or nobody rehearsed before production.
"""

import argparse
import subprocess
import sys
import time


def ran(command):
    said = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=250)
    if said.returncode:
        tail = (said.stdout + said.stderr).strip().rpartition("\n")[2]
        raise SystemExit(f"exit code {said.returncode} of {command[:100]}: {tail}")
    return said.stdout.splitlines()


def on(told, digest, other, when):
    lines = ran(told.status)
    wrong = [line for line in lines if digest not in line or other in line]
    if wrong or not lines:
        raise SystemExit(f"{when} not every instance has {digest}: {'; '.join(wrong) or 'no instance'}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("up", "back", "status", "smoke", "write", "read", "new", "old"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--log")
    told = parser.parse_args()
    seen = " ".join(ran(told.log)) if told.log else ""
    if told.log and told.old not in seen.partition(told.new)[2]:
        raise SystemExit("by the access log the way back was not rehearsed: the old release never answered after the new one")
    ran(told.up)
    on(told, told.new, told.old, "after going up")
    ran(told.smoke)
    ids = [line.split()[0] for line in ran(told.write) if line.strip()]
    if not ids:
        raise SystemExit("the new release wrote nothing: the way back is tried on nothing")
    began = time.monotonic()
    ran(told.back)
    took = time.monotonic() - began
    on(told, told.old, told.new, "after the way back")
    ran(told.smoke)
    ran(told.read.replace("{}", " ".join(ids)))
    ran(told.up)
    on(told, told.new, told.old, "after going up again")
    ran(told.smoke)
    print(f"the way back took {took:.1f} s, and the old release reads all {len(ids)} records")


if __name__ == "__main__":
    sys.exit(main())
