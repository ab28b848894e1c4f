"""Step 8: what turned CI red before turns it red now; so does a new test that fails, and each job that is cancelled.

    cd REPOSITORY; check-8.py HEAD --ci COMMAND --faults FOLDER [--faults ...] [--base REF] [--new tests/test_new.py=TEXT] [--cancel COMMAND --job NAME ...]

--ci runs CI for the commit of the clone in which it is called, and ends with 0 for green (on a forge: a script that pushes HEAD
to a throwaway branch, waits, and asks whether the required checks would let it be merged). FOLDER holds patches, one fault
each; where a test's set-up was changed, one that this test alone sees. --base: where CI has to be red over them already, as step 2 wants. --new: a file with a failing test that no list of
times knows; one that fails at first and passes when it is tried again shows a retry. --cancel: like --ci, with a job, its name for {}, cancelled.
"""

import argparse
import pathlib
import subprocess

from runs import clone_of, commit, run, said


def planted(ref, command, fault):
    """Whether CI is green over a fault; None where it cannot be planted."""
    with clone_of(ref) as tree:
        return run(command, tree)[0] if fault(tree) and commit(tree) else None


def patch(path):
    return lambda tree: subprocess.run(["git", "apply", "--whitespace=nowarn", path.resolve()], cwd=tree, capture_output=True).returncode == 0


def file(path, text):
    def write(tree):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        return (tree / path).write_text(text)

    return write


def problems(told):
    faults = {path.name: patch(path) for folder in told.faults for path in sorted(pathlib.Path(folder).iterdir())}
    for new in told.new:
        path, _, text = new.partition("=")
        faults[f"a failing test in {path}"] = file(path, text.replace("\\n", "\n"))
    refs = [*told.base, told.head]
    for ref in refs:
        with clone_of(ref) as tree:
            if not run(told.ci, tree)[0]:
                yield f"CI is red on {ref} itself"
                return
    for name, fault in faults.items():
        for ref in refs:
            green = planted(ref, told.ci, fault)
            if green is None:
                yield f"{name} cannot be planted on {ref}"
            elif green:
                yield f"{name}: CI is green on {ref}" + (" already: a hole that was there before" if ref in told.base else "")
    for job in told.job:
        with clone_of(told.head) as tree:
            if run(told.cancel.replace("{}", job), tree)[0]:
                yield f"{job} is cancelled, and CI is green"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("head")
    parser.add_argument("--ci", required=True)
    parser.add_argument("--faults", action="append", required=True)
    parser.add_argument("--cancel", default="true")
    for name in ("base", "new", "job"):
        parser.add_argument(f"--{name}", action="append", default=[])
    said(problems(parser.parse_args()), "every fault and every cancelled job is seen")


if __name__ == "__main__":
    main()
