"""Step 6: the branch does what the issue asks, by examples that the agent never saw, and nothing else.

    check-6.py BASE HEAD --run 'COMMAND {}' --example 'WORDS => OUTPUT' [--same 'WORDS'] [--similar REGEX --text FILE --scope PATH]

WORDS stand for {} in the command; `$ WORDS` are a command of their own: another caller, a direct call, two calls in one
process. An example is right if that is printed, white space aside, and the exit code is 0; nothing after =>: it is refused,
with nothing printed and another exit code. --same: prints and ends as on BASE. --similar finds the fault where it stands
outside --scope; the text must name each place as path:line, and not many others.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from commits import unpacked, within

NEAR = 5


def ran(command, tree):
    said = subprocess.run(command, shell=True, cwd=tree, capture_output=True, text=True, timeout=120)
    return " ".join(said.stdout.split()), said.returncode


def differs(result, wanted):
    """Whether a command printed something else than was wanted, or ended otherwise."""
    return result[0] != wanted or (result[1] == 0) != bool(wanted)


def behaviour(told, trees):
    words_of = {one: one.rpartition("=>")[0].strip() for one in told.example} | {one: one.strip() for one in told.same}
    commands = {one: words[2:] if words.startswith("$ ") else told.run.replace("{}", words) for one, words in words_of.items()}
    results = {one: [ran(command, tree) for tree in trees] for one, command in commands.items()}
    wanted = {one: " ".join(one.rpartition("=>")[2].split()) for one in told.example}
    for one, output in wanted.items():
        if differs(results[one][1], output):
            yield f"{commands[one]}: is {results[one][1]}, not {output or 'refused'!r}"
    if not any(differs(results[one][0], output) for one, output in wanted.items()):
        yield f"{told.base} does all examples right: they do not show the fault"
    for one in told.same:
        if results[one][0] != results[one][1]:
            yield f"{commands[one]}: was {results[one][0]}, is {results[one][1]}, and was to stay"


def places(told, tree):
    """What the text names wrongly of the places where the same fault stands."""
    text = pathlib.Path(told.text).read_text() if told.text and pathlib.Path(told.text).is_file() else ""
    found = subprocess.run(["git", "grep", "-nIE", told.similar, told.base, "--"], capture_output=True, text=True).stdout
    found = re.findall(r"(?m)^[^:\n]+:([^:\n]+):(\d+):", found)
    faults = [(path, int(line)) for path, line in found if not within(path, told.scope)]
    named = {(path, int(line)) for path, line in re.findall(r"([\w./-]+):(\d+)", text)}
    for path, line in faults:
        if not any(path == name and abs(line - near) <= NEAR for name, near in named):
            yield f"{path}:{line} looks like the same fault, and {told.text} does not name it"
    others = [path for path, _ in named if (tree / path).is_file() and not within(path, told.scope)]
    if len(others) > 2 * len(faults) + NEAR:
        yield f"{told.text} names {len(others)} places outside the scope, of which {len(faults)} have the fault: nobody finds them"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("head")
    for name in ("run", "example"):
        parser.add_argument(f"--{name}", required=True, action="append" if name == "example" else "store")
    for name in ("same", "scope"):
        parser.add_argument(f"--{name}", action="append", default=[])
    for name in ("similar", "text"):
        parser.add_argument(f"--{name}")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        trees = [pathlib.Path(place, name) for name in ("base", "head")]
        try:
            for ref, tree in zip((told.base, told.head), trees):
                unpacked(tree, ref)
            wrong = [*behaviour(told, trees), *(places(told, trees[0]) if told.similar else ())]
        except subprocess.CalledProcessError as error:
            wrong = [f"git could not: {error.stderr.decode().strip()}"]
    print("\n".join(wrong) or "does what the issue asks, and what it did before")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
