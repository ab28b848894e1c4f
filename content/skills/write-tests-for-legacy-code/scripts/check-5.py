"""Step 5: the batch holds tests and table alone, and each expected failure is there for the defect that it names.

    check-5.py BASE [--pytest OPTIONS] --only GLOB [--only GLOB] --mend GLOB [--mend GLOB]

BASE is the commit before the batch, as the user wrote it down. Only files that match --only may differ from it. Each
--mend is a patch that mends one defect: of a ticket, of the batch, or one that was held back as a control. With it a
strict expected failure must turn red, and no other test may. Exit code 0: all as it should be.
"""

import argparse
import filecmp
import fnmatch
import glob
import os
import pathlib
import subprocess
import sys

from outcomes import RED, copied, outcomes

CACHES = {".git", "__pycache__", ".pytest_cache"}


def files(tree):
    """Every file of a folder, ignored ones too: a configuration can hide there."""
    paths = (path for path in pathlib.Path(tree).rglob("*") if path.is_file() or path.is_symlink())
    return {str(path.relative_to(tree)) for path in paths if not CACHES & set(path.relative_to(tree).parts)}


def allowed(name, only):
    """Whether a file matches; a `*` goes no deeper, else a conftest.py in a new folder is let in."""
    return fnmatch.fnmatch(name, only) and name.count("/") == only.count("/")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("--pytest", default="")
    for name in ("only", "mend"):
        parser.add_argument(f"--{name}", required=True, action="append")
    told, wrong = parser.parse_args(), []
    with copied(told.base) as old:
        for name in sorted(files(".") | files(old)):
            here, there = pathlib.Path(name), old / name
            same = here.exists() and there.exists() and filecmp.cmp(here, there, shallow=False)
            if not same and not any(allowed(name, only) for only in told.only):
                wrong.append(f"{name} differs from {told.base}: take it out of the batch")
        before = outcomes(told.pytest, old) or {}
    with copied() as tree:
        plain = outcomes(told.pytest, tree)
    if plain is None or RED & set(plain.values()):
        sys.exit("\n".join([*wrong, "the tests do not pass on the product as it is: mend the tests, not the product"]))
    if not plain.keys() - before.keys():
        wrong.append("no new test was collected")
    expected, turned = {name for name, kind in plain.items() if kind == "xfailed"}, set()
    for mend in sorted({path for pattern in told.mend for path in glob.glob(pattern)}):
        try:
            with copied(patch=mend) as tree:
                after = outcomes(told.pytest, tree)
        except subprocess.CalledProcessError:
            wrong.append(f"{mend} cannot be applied")
            continue
        red = {name for name, kind in (after or {}).items() if kind in RED}
        right = {name for name in red & expected if after[name] == "xpassed"}
        wrong += [f"{name} holds the defect in place that {mend} mends" for name in sorted(red - expected)]
        if not right:
            wrong.append(
                f"with {os.path.basename(mend)} no expected failure turns red: none is strict and of this defect"
            )
        turned |= right
    wrong += [f"{name} fails with every mend: it fails for another reason" for name in sorted(expected - turned)]
    print("\n".join(wrong) or f"{len(plain.keys() - before.keys())} new tests, {len(expected)} expected failures")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
