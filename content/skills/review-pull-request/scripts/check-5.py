"""Step 5: every finding of a review is proved, new, one fault, and mended where it says; the change under review is untouched.

    check-5.py BASE HEAD --test COMMAND [--review FOLDER] [--tests PATH]

FOLDER holds review.md with a heading `## N. path:line …` for each finding, its proof N.sh and its smallest mend N.patch,
which changes that line or one beside it. A proof runs in the root of a copy and ends with 0 (as it should be), 1 (the
fault shows) or 2 (there is no such feature here, allowed on BASE where the mend is in lines that the change wrote). Give
BASE and HEAD as commit ids. Read each patch: whether it mends more than the proof's own input, step 8 tells.
"""

import argparse
import pathlib
import re
import subprocess
import sys

from copies import lines_of, tried

MOST, NEAR = 5, 3


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, check=True).stdout.decode(errors="replace")


def finding(number, place, told, written, plain):
    """What is wrong with one finding."""
    proof, patch = (told.review / f"{number}.{end}" for end in ("sh", "patch"))
    if not proof.is_file() or not patch.is_file():
        yield f"finding {number} has no proof {proof.name} or no mend {patch.name}"
        return
    command = f"bash {told.review.name}/{number}.sh"
    old, _ = lines_of(patch.read_text())
    on_head, on_base = tried(told.head, told.review, command), tried(told.base, told.review, command)
    mended = tried(told.head, told.review, command, patch)
    if not any(path == place[0] and abs(line - place[1]) <= NEAR for path, line in old):
        yield f"finding {number}: {patch.name} changes nothing at {place[0]}:{place[1]}; the heading leads elsewhere"
    if on_head != 1:
        yield f"finding {number}: the proof ends with {on_head} on the change, not 1: it shows no fault"
    if on_base not in (0, 2):
        yield f"finding {number}: the proof ends with {on_base} on the base: the fault is not new, or the proof is none"
    elif on_base == 2 and not old & written:
        yield f"finding {number}: the base lacks the feature, and yet the mend is in lines that the change did not write"
    if mended != 0:
        yield f"finding {number}: with {patch.name} the proof ends with {mended}, not 0"
    elif (1, 0) != (
        tried(told.head, told.review, command, note=(patch, "+")),
        tried(told.head, told.review, command, patch, note=(patch, "-")),
    ):
        yield f"finding {number}: the proof reads the text of the code; run the code"
    if any(path == inner or path.startswith(f"{inner}/") for path, _ in old for inner in told.tests):
        yield f"finding {number}: {patch.name} bends tests; mend what is wrong"
    if tried(told.head, told.review, told.test, patch) != plain:
        yield f"finding {number}: with {patch.name} the tests end otherwise than before; the mend breaks something"


def problems(told):
    if git("rev-parse", "HEAD") != git("rev-parse", told.head) or git("status", "--porcelain"):
        yield "the branch or its files are not as they were: a reviewer changes nothing"
    text = told.review / "review.md"
    if not text.is_file():
        yield f"there is no {text}"
        return
    heads = re.findall(r"(?m)^## (\d+)\. `?([^\s:`]+):(\d+)", text.read_text())
    numbers = [number for number, _, _ in heads]
    if len(numbers) > MOST or len(set(numbers)) != len(numbers):
        yield f"at most {MOST} findings, each with a number of its own"
    if sorted(numbers) != sorted(path.stem for path in told.review.glob("*.sh")):
        yield "the headings of review.md and the proofs are not the same findings"
    _, written = lines_of(git("diff", "-U0", "--no-renames", told.base, told.head))
    plain = tried(told.head, told.review, told.test)
    for number, path, line in heads:
        yield from finding(number, (path, int(line)), told, written, plain)
        others = [told.review / f"{other}.patch" for other in numbers if other != number]
        command = f"bash {told.review.name}/{number}.sh"
        if all(patch.is_file() for patch in others) and tried(told.head, told.review, command, *others) == 0:
            yield f"finding {number} is mended by the mends of the others: two findings are one"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("head")
    parser.add_argument("--test", required=True)
    parser.add_argument("--review", type=pathlib.Path, default=pathlib.Path("review"))
    parser.add_argument("--tests", action="append", default=[])
    try:
        wrong = list(problems(parser.parse_args()))
    except subprocess.CalledProcessError as error:
        wrong = [f"git could not: {error.stderr.decode().strip()}"]
    print("\n".join(wrong) or "every finding is proved, new and mended")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
