"""Step 5: each N.sh shows its fault on an untouched copy of the commit, stops with N.patch, and planted faults are found.

    check-5.py REPO COMMIT REVIEW --entry FILE --tests CMD [--tests CMD] [--undo CMD] [--elsewhere CMD]

N.sh runs in the root of a copy and ends with 1 where the fault shows, with 0 where not. --entry is the file of the public
entry: with that file empty nothing can show. --tests pass on the copy with all mends together; add attacks that you kept
back, and what was refused before. --undo takes one planted fault out of a copy; with all others taken out, some script must
show it. Write it in other words than a mend would have: who asks for the words of one mend shows nothing. --elsewhere makes a
copy answer by the program of another one, which stands for {}: what is answered decides, and not the text that lies there.
For a package of Python: echo '__path__[:] = ["{}/shop"]' > shop/__init__.py
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile


class Review:
    def __init__(self, told, room):
        self.told, self.room, self.made = told, room, 0
        self.folder = pathlib.Path(told.review).resolve()
        self.numbers = sorted(int(path.stem) for path in self.folder.glob("*.sh") if path.stem.isdigit())

    def copy(self, mends=(), commands=()):
        """A clean clone at the commit, with mends and commands applied."""
        self.made += 1
        place = pathlib.Path(self.room, str(self.made))
        subprocess.run(["git", "clone", "-q", "--no-checkout", self.told.repo, place], check=True)
        subprocess.run(["git", "checkout", "-q", self.told.commit], cwd=place, check=True)
        for number in mends:
            patch = self.folder / f"{number}.patch"
            if not patch.is_file() or subprocess.run(["git", "apply", patch], cwd=place, capture_output=True).returncode:
                raise SystemExit(f"{number}.patch is not there, or does not apply (after {[n for n in mends if n < number]})")
        for command in commands:
            subprocess.run(command, shell=True, cwd=place, check=True)
        return place

    def shows(self, number, place):
        """Whether the script shows its fault there."""
        code = subprocess.run(["bash", self.folder / f"{number}.sh"], cwd=place, capture_output=True, timeout=120).returncode
        if code not in (0, 1):
            raise SystemExit(f"{number}.sh ends with {code}: 1 is the fault, 0 none")
        return code == 1


def status(repo):
    return subprocess.run(["git", "status", "--porcelain"], cwd=repo, capture_output=True, text=True, check=True).stdout.strip()


def proofs(review, told):
    def crossed(text, program):
        return review.copy(text, [told.elsewhere.replace("{}", str(program))])

    bare, empty = review.copy(), review.copy(commands=[f": > '{told.entry}'"])
    for number in review.numbers:
        if not review.shows(number, bare):
            yield f"{number}.sh shows nothing on the untouched commit"
        elif status(bare):
            yield f"{number}.sh changes the copy: {status(bare)}"
        elif review.shows(number, empty):
            yield f"{number}.sh shows its fault with {told.entry} empty: it does not go through the public entry"
        elif review.shows(number, mended := review.copy([number])):
            yield f"{number}.sh still shows the fault with {number}.patch"
        elif told.elsewhere and (review.shows(number, crossed([], mended)) or not review.shows(number, crossed([number], bare))):
            yield f"{number}.sh goes by the text of the files, and not by what the program answers"
        elif not review.shows(number, review.copy([other for other in review.numbers if other != number])):
            yield f"{number}.sh stops with the mends of other findings: it is no finding of its own"


def mended(review, told):
    place = review.copy(review.numbers)
    for command in told.tests:
        if subprocess.run(command, shell=True, cwd=place, capture_output=True).returncode:
            yield f"with all mends this fails: {command[:120]}"


def planted(review, told):
    clean = review.copy(commands=told.undo)
    quiet = [number for number in review.numbers if not review.shows(number, clean)]
    found: list[int | None] = []
    for number, command in enumerate(told.undo):
        place = review.copy(commands=[*told.undo[:number], *told.undo[number + 1 :]])
        order = sorted(quiet, key=lambda one: one in found)  # those that found no other fault first
        shown = next((one for one in order if review.shows(one, place)), None)
        found.append(shown)
        if shown is None:
            yield f"no script shows the planted fault that this takes out: {command[:120]}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("repo", "commit", "review"):
        parser.add_argument(name)
    parser.add_argument("--entry", required=True)
    parser.add_argument("--elsewhere")
    for name in ("tests", "undo"):
        parser.add_argument(f"--{name}", action="append", default=[])
    told = parser.parse_args()
    told.repo = str(pathlib.Path(told.repo).resolve())
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=told.repo, capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as room:
        review = Review(told, room)
        wrong = [] if head.startswith(told.commit) and not status(told.repo) else [f"{told.repo} is not the untouched commit"]
        wrong += [] if review.numbers else ["there is no script: nothing is shown"]
        for part in (proofs, mended, planted):
            wrong = wrong or list(part(review, told))
    print("\n".join(wrong) or f"{len(review.numbers)} findings, each shown and mended")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
