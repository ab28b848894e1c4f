"""Step 5: whatever was public and is gone or different stands in breaking.csv and above everything in the notes.

    check-5.py PREV TARGET --surface 'python3 tool.py --defaults' [--heading 'Breaking changes'] [--harmless NAME]

breaking.csv: name,before,after,number,action; after is empty for what is gone. --harmless is what you, not the agent,
decided to leave out.
"""

import argparse
import sys

import release


def main():
    parser = argparse.ArgumentParser()
    for name in ("prev", "target"):
        parser.add_argument(name)
    parser.add_argument("--surface", required=True)
    parser.add_argument("--heading", default="Breaking changes")
    parser.add_argument("--harmless", action="append", default=[])
    told = parser.parse_args()
    old, new = (release.surface(ref, told.surface) for ref in (told.prev, told.target))
    listed, wrong = {line["name"]: line for line in release.table("breaking.csv")}, []
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
    print("\n".join(wrong) or "what breaks is said")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
