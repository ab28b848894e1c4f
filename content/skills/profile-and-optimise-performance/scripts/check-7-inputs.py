"""Step 7: base and branch say the same of odd inputs too, of those that no generator makes, and several times in a process.

    check-7-inputs.py BASE --run 'python run.py {input}' --make 'python make.py {seed} {size}' [--size 100] \\
        [--changes 80] [--odd inputs/late.txt] [--again 'python several.py {inputs}']

BASE is a whole commit id. Inputs of size 0, 1 and --size are made; then single numbers, words and lines of the last are
changed at random: negative, large, no number at all, other letters, doubled, moved, gone. What the base answers the branch
answers alike; what the base refuses (another exit code than 0) the branch refuses too. --again works through several inputs
in one process, one after the other. Inputs are text. Exit code 0: no difference.
"""

import argparse
import pathlib
import random
import re
import secrets
import shlex
import subprocess
import sys
import tempfile

from versions import Version, base_of, changed_since

NUMBERS = ("-1", "-7", "0", "400", "1024", "250000", "9876543210", "12x", "1.5", "")
WORD = re.compile(r"-?\w+")


def altered(text, chance):
    """The text with a few things changed that the generator may never change."""
    lines = text.splitlines()
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(lines))
        words = list(WORD.finditer(lines[place]))
        kind = chance.randrange(8)
        if kind < 5 and words:
            word = chance.choice(words)
            number = re.fullmatch(r"-?\d+", word[0])
            new = chance.choice(NUMBERS) if number else chance.choice((f"{word[0]}ü", f"{word[0]}-{'x' * 40}", "0", ""))
            lines[place] = lines[place][: word.start()] + new + lines[place][word.end() :]
        elif kind == 5:
            lines.insert(place, lines[place])
        elif kind == 6:
            lines.insert(chance.randrange(len(lines)), lines.pop(place))
        else:
            lines[place] = chance.choice(("", lines[place].split(" ")[0]))
    return "".join(f"{line}\n" for line in lines)


def made(told, size, folder):
    words = shlex.split(told.make.replace("{seed}", secrets.token_hex(4)).replace("{size}", str(size)))
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout


def difference(command, both, limit):
    """What differs between the versions in a run of a command; and whether the base answers it."""
    before = both[0].run(command, limit)
    if before.code == -9:
        return "", False  # it takes the base too long to tell
    after = both[1].run(command, limit)
    if before.code:
        return "" if after.code else "the base refuses it, the branch answers", False
    if after.code:
        return f"the base answers, the branch ends with exit code {after.code}", True
    return "" if before.output == after.output else "the output is not that of the base", True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base", type=base_of)
    for name in ("run", "make"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--again")
    for name, default in (("size", 100), ("changes", 80), ("patience", 20)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--odd", action="append", default=[])
    told, wrong, answered = parser.parse_args(), [], 0
    seed = secrets.token_hex(4)
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        both = (Version(f"{place}/base", told.base), Version(f"{place}/branch", "HEAD", changed_since(told.base)))
        texts = {f"an input of size {size}": made(told, size, both[0].folder) for size in (0, 1, told.size)}
        usual = list(texts.values())[-1]
        texts |= {f"change {number} of seed {seed}": altered(usual, chance) for number in range(told.changes)}
        texts |= {name: pathlib.Path(name).read_text() for name in told.odd}
        for name, text in texts.items():
            source = pathlib.Path(place, "input")
            source.write_text(text)
            why, said = difference(told.run.replace("{input}", str(source)), both, told.patience)
            answered += said
            if why:
                kept = [f"  {line}" for line in text.splitlines() if line not in usual.splitlines()]
                wrong.append("\n".join([f"{name}: {why}", *kept[:5]]))
        if told.again:
            names = [pathlib.Path(place, f"again-{number}") for number in range(8)]
            for name in names:
                name.write_text(made(told, told.size, both[0].folder))
            inputs = " ".join(map(str, [*names, *names[:3]]))
            why, said = difference(told.again.replace("{inputs}", inputs), both, told.patience)
            wrong += [f"several inputs in one process: {why}"] if why or not said else []
    print("\n".join(wrong[:10]) or f"no difference; {answered} of {len(texts)} inputs were answered, the others refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
