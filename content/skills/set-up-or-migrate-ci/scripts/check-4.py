"""Step 4: each fact has one row in the mapping, and the row holds: the words are there, or an owner's answer says so.

    check-4.py BASE FACTS MAPPING --answers FILE

MAPPING is a JSON list of {"fact": ID, "to": ["FILE:LINE", "FILE:FIRST-LAST"]} where the value is taken over, and of
{"fact", "decided": "FILE:LINE", "new": TEXT, "to"} or {"fact", "decided", "dropped": true} where it is not. Answers
are read as they stand in the commit BASE: whoever drafts the workflow does not answer. An answer that drops begins with
the one value that it drops and a colon. Exit code 0: every row holds.
"""

import json
import pathlib
import re
import subprocess
import sys


def words(text):
    return {word.strip("-") or word for word in re.findall(r"[\w*-]+", str(text).lower().replace("_", "-"))}


def subject(line):
    """What an answer speaks of: all before the colon after which it is dropped."""
    return words(re.split(r":\s+(?=[^:]*\bdrop)", line.lstrip(" -*"), maxsplit=1, flags=re.I)[0])


def cited(place, read, words=words):
    """The words of the lines that FILE:LINE or FILE:FIRST-LAST cites; comments do nothing and do not count."""
    file, _, numbers = str(place).rpartition(":")
    lines = read(file).splitlines()
    first, _, last = numbers.partition("-")
    if not first.isdigit() or not 0 < int(first) <= len(lines) or int(last or first) - int(first) > 12:
        return set()
    chosen = lines[int(first) - 1 : int(last or first)]
    return set().union(*(words(re.sub(r"(^|\s)#.*", "", line) if file.endswith((".yml", ".yaml")) else line) for line in chosen))


def main():
    base, facts_file, mapping_file, _, answers = sys.argv[1:6]
    facts = {fact["id"]: fact for fact in json.loads(pathlib.Path(facts_file).read_text())}
    rows = json.loads(pathlib.Path(mapping_file).read_text())
    named = [row["fact"] for row in rows]
    wrong = [f"{name}: no row in {mapping_file}" for name in facts if name not in named]
    wrong += [f"{name}: {'twice' if name in facts else 'no such fact'}" for name in set(named) if named.count(name) > 1 or name not in facts]
    here = lambda file: pathlib.Path(file).read_text() if pathlib.Path(file).is_file() else ""
    asked = subprocess.run(["git", "show", f"{base}:{answers}"], capture_output=True, text=True, check=True).stdout
    for row in (row for row in rows if row["fact"] in facts):
        value, name = words(json.dumps(facts[row["fact"]]["value"])), row["fact"]
        there = set().union(set(), *(cited(place, here) for place in row.get("to", [])))
        if "decided" in row:
            answer = cited(row["decided"], lambda file: asked if file == answers else "")
            if value - answer:
                wrong.append(f"{name}: {row['decided']} does not speak of {' '.join(sorted(value - answer))}")
            wanted = words(row.get("new", ""))
            if row.get("dropped") and not answer & {"drop", "dropped", "drops"}:
                wrong.append(f"{name}: {row['decided']} does not say that it is dropped")
            elif row.get("dropped"):
                spoken = cited(row["decided"], lambda file: asked if file == answers else "", subject)
                if spoken - value - words(facts[name]["kind"]):
                    wrong.append(f"{name}: {row['decided']} drops something else: {' '.join(sorted(spoken - value))}")
            elif not row.get("dropped") and (wanted - answer or not wanted):
                wrong.append(f"{name}: {row['decided']} does not say that it becomes {row.get('new')!r}")
            value = set() if row.get("dropped") else wanted
        if value - there:
            wrong.append(f"{name}: {' '.join(sorted(value - there))} is not at {row.get('to')}; take it over, or cite the answer")
    print("\n".join(wrong) or f"{len(rows)} rows hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
