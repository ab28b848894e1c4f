"""Step 3: every name and every value in the notes is that of the target, and a line of the change says so.

    check-3.py PREV TARGET --surface 'python3 tool.py --defaults'

Words in backquotes, and whatever looks like an option, are looked up at TARGET; what is gone there must have been at
PREV. What is new has an entry that names it. An entry that names a setting gives no number but its old and new value, the
old one first after "from", and no unit that is not beside the name somewhere at TARGET; if the setting is new, also those
of `breaks` in changes.csv, which says what to write to have it as it was. Its source, path:line in
changes.csv, is a line at TARGET that the change itself wrote, and shares a name, a number or a word with the entry.
"""

import argparse
import re
import sys

import release


def named(text):
    """Names of options and settings in an entry."""
    spans = [word for span in re.findall(r"`([^`]+)`", text) for word in re.findall(r"--?[\w-]+|\w[\w.-]*", span)]
    return {word for word in {*spans, *re.findall(r"(?<![\w-])--[\w-]+", text)} if not re.fullmatch(r"[\d.]+", word)}


def source_problems(row, text, target):
    name, (path, _, line) = release.row_name(row), row["source"].partition(":")
    body = release.git("show", f"{target}:{path}").splitlines()
    if not line.isdigit() or not 0 < int(line) <= len(body):
        yield f"{name}: {row['source']!r} is no line at the target"
        return
    there = body[int(line) - 1]
    written = {
        one[1:]
        for commit in row["commits"].split()
        for one in release.git("show", "--format=", commit).splitlines()
        if one[:1] == "+"
    }
    if there not in written:
        yield f"{name}: {row['source']} ({there.strip()}) was not written by this change"
    elif not any(word in there for word in named(text)) and not release.words_of(there) & release.words_of(text):
        yield f"{name}: {row['source']} ({there.strip()}) shares no word with the entry: {text[:60]}"


UNITS = [
    r"milliseconds?|(?<=\d)ms|ms",
    r"seconds?|secs?|(?<=\d)s",
    r"minutes?|mins?",
    r"hours?|hrs?",
    r"days?",
    r"weeks?",
    r"bytes?",
    r"kilobytes?|[Kk]i?B",
    r"megabytes?|Mi?B",
    r"gigabytes?|Gi?B",
    r"percent|%",
]


def value_problems(text, name, old, new, target):
    """A sentence with the right numbers in the wrong order, or in a unit that the code does not have."""
    before, after = (release.plain(side.get(name, "")) for side in (old, new))
    beside = release.git("grep", "-hwF", "-C1", "-e", name, target)
    for unit in UNITS:
        if (said := re.search(rf"(?<![a-zA-Z])(?:{unit})\b", text)) and not re.search(
            rf"(?<![a-zA-Z])(?:{unit})(?![a-z])", beside
        ):
            yield f"{name}: nothing beside it at the target says {said[0]}: {text[:60]}"
    if before != after and re.search(
        rf"(?i)\bfrom\W+(?:\w+\W+)?{re.escape(after)}\b|\bwas\W+{re.escape(after)}\b", text
    ):
        yield f"{name} was {before} and is {after}, and the entry turns that round: {text[:60]}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("prev", "target"):
        parser.add_argument(name)
    parser.add_argument("--surface", required=True)
    told = parser.parse_args()
    old, new = (release.surface(ref, told.surface) for ref in (told.prev, told.target))
    rows, wrong = {release.row_name(row): row for row in release.table("changes.csv")}, []
    said = set()
    for _, text, numbers in release.entries():
        words = named(text)
        for word in sorted(words):
            at = [bool(release.git("grep", "-wF", "-e", word, ref)) for ref in (told.prev, told.target)]
            if not any(at):
                wrong.append(f"{word!r} is nowhere, neither before nor now: {text[:60]}")
        other = [name for name in {*old, *new} if old.get(name) != new.get(name)]  # these also without backquotes
        settings = {name for name in {*old, *new} if name in words}
        settings |= {name for name in other if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)}
        said |= settings
        values = " ".join(side[name] for name in settings for side in (old, new) if name in side) + " "
        if not settings & set(old):
            values += " ".join(rows[name]["breaks"] for name in release.names_of(numbers) if name in rows)
        bare = re.sub(r"\(?#\d+\)?|\([0-9a-f]{7,40}\)", "", text)
        for number in re.findall(r"\d+(?:\.\d+)*", bare) if settings else []:
            if number not in re.findall(r"\d+(?:\.\d+)*", values):
                wrong.append(f"{number} is no value of {', '.join(sorted(settings))} ({values}): {text[:60]}")
        kept = [value for name, value in old.items() if name not in new]  # what was renamed has its value still
        for name in sorted(settings):
            if name in new and new[name] not in [old.get(name), *kept] and release.plain(new[name]) not in bare:
                wrong.append(f"{name} is {new[name]} now, and the entry does not say so: {text[:60]}")
            elif name in new and new[name] != old.get(name):
                wrong += value_problems(text, name, old, new, told.target)
        for name in release.names_of(numbers):
            row = rows.get(name)
            if row and row["visible"].strip().lower() == "yes" and not text.startswith("@"):
                wrong += source_problems(row, text, told.target)
    wrong += [f"{name} is new, and no entry names it" for name in sorted(set(new) - set(old) - said)]
    print("\n".join(wrong) or "names and values are those of the target")
    return 1 if wrong or not release.entries() else 0


if __name__ == "__main__":
    sys.exit(main())
