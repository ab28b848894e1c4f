"""Step 5: whatever was public and is gone or different stands in breaking.csv and above everything in the notes.

    check-5.py PREV TARGET --surface 'python3 tool.py --defaults' [--heading 'Breaking changes'] [--harmless NAME]
               [--old 'python3 tool.py size x; test $? = 1']

breaking.csv: name,before,after,number,action; after is empty for what is gone. The action, and the entry, say what to
write: the new name, or the value as it was or is. --harmless is what you, not the agent, decided to leave out. --old is
what worked before, once for each: if it fails at TARGET, the change that broke it has its line and its entry.
"""

import argparse
import sys

import release


def to_write(name, old, new, commits, surface):
    """Words of which an action holds one: the new name, where the change gave one; the values, where they differ."""
    if name in new:
        return {release.plain(old[name]), release.plain(new[name])}
    for one in commits:
        then, now = (release.surface(side, surface) for side in (release.parent(one), one))
        if name in then and name not in now:
            return {other for other in now.keys() - then.keys() if now[other] == then[name]}
    return set()


def old_problems(command, told, rows, listed, headed):
    if release.answer(told.prev, command)[0]:
        yield f"`{command}` fails at {told.prev[:12]}: it shows nothing"
    elif release.answer(told.target, command)[0]:
        broke = {
            release.row_name(row)
            for row in rows
            for one in row["commits"].split()
            if release.answer(one, command)[0] and not release.answer(release.parent(one), command)[0]
        }
        lines = [line for line in listed.values() if line["number"].strip().lstrip("#")[:7] in broke]
        if not any(line["before"] != line["after"] and len(line["action"].split()) > 2 for line in lines):
            yield f"`{command}` works no more since {', '.join(sorted(broke))}: breaking.csv does not say so"
        if not broke & headed:
            yield f"`{command}` works no more since {', '.join(sorted(broke))}, which is not under {told.heading}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("prev", "target"):
        parser.add_argument(name)
    parser.add_argument("--surface", required=True)
    parser.add_argument("--heading", default="Breaking changes")
    parser.add_argument("--harmless", action="append", default=[])
    parser.add_argument("--old", action="append", default=[])
    told = parser.parse_args()
    old, new = (release.surface(ref, told.surface) for ref in (told.prev, told.target))
    listed, wrong = {line["name"]: line for line in release.table("breaking.csv")}, []
    rows = release.table("changes.csv")
    entries = release.entries()
    if not old or (
        entries and told.heading in {heading for heading, _, _ in entries} and entries[0][0] != told.heading
    ):
        wrong.append(f"{told.heading} does not stand above everything" if old else "the surface command prints nothing")
    for name, value in old.items():
        if new.get(name) == value or name in told.harmless:
            continue
        line = listed.get(name)
        if not line or (line["before"], line["after"]) != (value, new.get(name, "")):
            wrong.append(f"{name} was {value!r} and is {new.get(name, 'gone')!r}: breaking.csv does not say so")
        elif len(line["action"].split()) < 3:
            wrong.append(f"{name}: say what a user has to do")
        else:
            number = line["number"].strip().lstrip("#")[:7]
            texts = [
                text
                for heading, text, numbers in entries
                if heading == told.heading and number in release.names_of(numbers)
            ]
            plain = name.lstrip("-").split("-")[-1].lower()
            if not any(f"`{name}`" in text or plain in text.lower() for text in texts):
                wrong.append(f"{name} is not under {told.heading} in the entry of {number}")
            commits = [one for row in rows if release.row_name(row) == number for one in row["commits"].split()]
            needed = to_write(name, old, new, commits, told.surface)
            for place in [line["action"], *texts] if needed else []:
                if not any(word in place for word in needed):
                    wrong.append(f"{name}: say what to write ({' or '.join(sorted(needed))}): {place[:60]}")
    headed = {one for heading, _, numbers in entries if heading == told.heading for one in release.names_of(numbers)}
    for command in told.old:
        wrong += old_problems(command, told, rows, listed, headed)
    print("\n".join(wrong) or "what breaks is said")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
