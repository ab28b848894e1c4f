"""Step 8: which of the planted faults a review found, by what its proofs do and not by what it says.

    check-8.py HEAD --fault COMMAND [--fault COMMAND] [--review FOLDER] [--least N]

HEAD holds all planted faults; each COMMAND takes one of them out of a copy (a sed, a git apply). A fault is found if the
proof of some finding (FOLDER/N.sh) ends with 1 on HEAD, and with 0 once that fault alone is out. Findings that no fault
explains are false alarms, or faults that you did not plant: read those. Exit code 0: at least N (all) were found.
"""

import argparse
import io
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile


def tried(head, review, proofs, fault="true"):
    """The exit code of each proof in a copy of HEAD that a command has changed."""
    with tempfile.TemporaryDirectory() as place:
        tree, clean = pathlib.Path(place, "tree"), pathlib.Path(place, "clean")
        archive = subprocess.run(["git", "archive", head], capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(clean, filter="data")
        subprocess.run(fault, shell=True, cwd=clean, check=True)
        shutil.copytree(review, clean / review.name, dirs_exist_ok=True)
        codes = {}
        for proof in proofs:
            shutil.copytree(clean, tree)
            said = subprocess.run(["bash", f"{review.name}/{proof.name}"], cwd=tree, capture_output=True, timeout=300)
            codes[proof.stem] = said.returncode
            shutil.rmtree(tree)
        return codes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("head")
    parser.add_argument("--fault", required=True, action="append")
    parser.add_argument("--review", type=pathlib.Path, default=pathlib.Path("review"))
    parser.add_argument("--least", type=int)
    told = parser.parse_args()
    proofs = sorted(told.review.glob("[0-9]*.sh"))
    shows = {name for name, code in tried(told.head, told.review, proofs).items() if code == 1} if proofs else set()
    explained, found = set(), 0
    for fault in told.fault:
        by = {name for name, code in tried(told.head, told.review, proofs, fault).items() if code == 0} & shows if shows else set()
        explained, found = explained | by, found + bool(by)
        print(f"{'found by ' + ', '.join(sorted(by)) if by else 'MISSED'}: {fault}")
    print(f"{found} of {len(told.fault)} found; explained by none: {', '.join(sorted(shows - explained)) or 'no finding'}")
    return 0 if found >= (len(told.fault) if told.least is None else told.least) else 1


if __name__ == "__main__":
    sys.exit(main())
