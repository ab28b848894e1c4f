"""Step 6: the branch does what the issue asks, by examples that the agent never saw, and nothing else.

    check-6.py BASE HEAD --run 'COMMAND {}' --example 'WORDS => OUTPUT' [--same 'WORDS'] [--similar REGEX --text FILE --scope PATH]

An example is right if the command prints that, white space aside (nothing after =>: it prints nothing). --same: prints and
ends as on BASE. --similar finds the fault where it stands outside --scope; the text must name each place as path:line.
"""

import argparse
import io
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, check=True).stdout


def ran(command, tree):
    said = subprocess.run(command, shell=True, cwd=tree, capture_output=True, text=True, timeout=120)
    return " ".join(said.stdout.split()), said.returncode


def problems(told, trees):
    commands = {words: told.run.replace("{}", words.partition("=>")[0].strip()) for words in told.example + told.same}
    results = {words: [ran(command, tree) for tree in trees] for words, command in commands.items()}
    as_wanted = {words: " ".join(words.partition("=>")[2].split()) for words in told.example}
    for words, wanted in as_wanted.items():
        printed = results[words][1][0]
        if printed != wanted:
            yield f"{commands[words]}: prints {printed!r}, not {wanted!r}"
    if all(results[words][0][0] == wanted for words, wanted in as_wanted.items()):
        yield f"{told.base} does all examples right: they do not show the fault"
    for words in told.same:
        if results[words][0] != results[words][1]:
            yield f"{commands[words]}: was {results[words][0]}, is {results[words][1]}, and was to stay"
    if told.similar:
        text = pathlib.Path(told.text).read_text() if told.text and pathlib.Path(told.text).is_file() else ""
        found = subprocess.run(["git", "grep", "-nIE", told.similar, told.base, "--"], capture_output=True, text=True).stdout
        for path, line in re.findall(r"(?m)^[^:\n]+:([^:\n]+):(\d+):", found):
            named = map(int, re.findall(re.escape(path) + r":(\d+)", text))
            if path not in told.scope and not any(abs(int(line) - one) <= 5 for one in named):
                yield f"{path}:{line} looks like the same fault, and {told.text} does not name it"


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
                with tarfile.open(fileobj=io.BytesIO(git("archive", ref))) as archive:
                    archive.extractall(tree, filter="data")
            wrong = list(problems(told, trees))
        except subprocess.CalledProcessError as error:
            wrong = [f"git could not: {error.stderr.decode().strip()}"]
    print("\n".join(wrong) or "does what the issue asks, and what it did before")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
