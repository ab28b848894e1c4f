"""Step 5: whatever was public and is gone or different stands above everything in the notes, with what to write.

    check-5.py PREV TARGET --surface 'python3 tool.py --defaults' [--heading 'Breaking changes'] [--harmless NAME]
               [--old 'python3 tool.py size x; test $? = 1']

Each visible line of changes.csv says in `breaks` what users have to write, or no; the others stand under the heading, and
nothing else does. That and the entry hold the new name, or the value as it was or is. --harmless is what you, not the
agent, decided to leave out. --old is what worked before, once for each: if it fails at TARGET, the change that broke it
is under the heading.
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


def turned(commit, name, surface):
    """Whether this commit gave a public name another value, or took it away."""
    then, now = (release.surface(side, surface) for side in (release.parent(commit), commit))
    return name in then and then[name] != now.get(name)


def old_problems(command, told, rows, headed):
    if release.answer(told.prev, command)[0]:
        yield f"`{command}` fails at {told.prev[:12]}: it shows nothing"
    elif release.answer(told.target, command)[0]:
        broke = {
            release.row_name(row)
            for row in rows
            for one in row["commits"].split()
            if release.answer(one, command)[0] and not release.answer(release.parent(one), command)[0]
        }
        if not broke & headed:
            yield f"`{command}` works no more since {', '.join(sorted(broke))}, which is not under {told.heading}"


def answers(rows, headed, heading):
    """Visible lines that do not say whether they break, or say it and stand elsewhere in the notes."""
    for row in rows:
        name, said = release.row_name(row), row["breaks"].strip()
        if row["visible"].strip().lower() != "yes":
            continue
        if not said:
            yield f"{name}: breaks is empty; write no, or what users have to write"
        elif (said.lower() != "no") != (name in headed):
            yield f"{name}: breaks is {said!r}, and it is {'' if name in headed else 'not '}under {heading}"
        elif said.lower() != "no" and len(said.split()) < 3:
            yield f"{name}: say what a user has to do"


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
    rows, entries, wrong = release.table("changes.csv"), release.entries(), []
    if not old or (
        entries and told.heading in {heading for heading, _, _ in entries} and entries[0][0] != told.heading
    ):
        wrong.append(f"{told.heading} does not stand above everything" if old else "the surface command prints nothing")
    headed = {one for heading, _, numbers in entries if heading == told.heading for one in release.names_of(numbers)}
    wrong += answers(rows, headed, told.heading)
    for name, value in old.items():
        if new.get(name) == value or name in told.harmless:
            continue
        changed = [row for row in rows for one in row["commits"].split() if turned(one, name, told.surface)]
        numbers = {release.row_name(row) for row in changed}
        plain = name.lstrip("-").split("-")[-1].lower()
        texts = [
            text
            for heading, text, named in entries
            if heading == told.heading
            and numbers & set(release.names_of(named))
            and (f"`{name}`" in text or plain in text.lower())
        ]
        if not texts:
            wrong.append(f"{name} is not under {told.heading} in the entry of {', '.join(sorted(numbers))}")
        for side in (value, new[name]) if name in new and texts else ():
            if not any(release.plain(side) in text for text in texts):
                wrong.append(f"{name} was {value} and is {new[name]}; the entry gives both: {texts[0][:60]}")
        needed = to_write(name, old, new, [one for row in changed for one in row["commits"].split()], told.surface)
        for place in [*(row["breaks"] for row in changed), *texts] if needed else []:
            if not any(word in place for word in needed):
                wrong.append(f"{name}: say what to write ({' or '.join(sorted(needed))}): {place[:60]}")
    for command in told.old:
        wrong += old_problems(command, told, rows, headed)
    print("\n".join(wrong) or "what breaks is said")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
