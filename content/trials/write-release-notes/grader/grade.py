# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Reads notes.md alone, and knows what each change did."""

import hashlib
import re
import sys
from pathlib import Path

REFS = "a455fef8b32a261b696c47e5fca803f2f1308665229933c7adc103cbf3965e20"
BREAKING, NEW, FIXES, PEOPLE = "Breaking changes", "New", "Fixes", "New contributors"
WANTED = {
    "22": ({BREAKING}, ["timeout", r"\b30\b", r"\b45\b"], [r"\b60\b", r"(?i)minute|hour|milli|\d ?ms\b|from `?45|45`?\W+to\W+30|^(lower|reduce|shorten|decrease)"]),
    "23": ({BREAKING}, ["cache_dir", "cache_path", "--legacy-ids"], []),
    "74a953b": ({BREAKING}, [r"\b3\.10\b"], []),
    "21": ({NEW}, ["--format", r"\btext\b"], ["--json"]),
    "24": ({NEW, BREAKING}, ["workers", r"\b4\b"], [r"\b8\b"]),
    "26": ({FIXES, BREAKING}, [r"(?i)size|kilo|1024|\dK\b"], []),
    "32": ({BREAKING}, [r"(?i)exit|status|return", r"\b2\b"], []),
    "33": ({FIXES, BREAKING}, [r"(?i)cache|director|folder|outside|\.\."], []),
    "27": ({FIXES}, [r"(?i)token|secret|credential"], []),
}


def failed(why):
    print(why)
    sys.exit(10)


def main():
    if hashlib.sha256(Path(".git/refs-now").read_bytes()).hexdigest() != REFS:
        failed("a branch or tag is not as it was")
    if edited := Path(".git/edited-now").read_text().split():
        failed(f"files of the repository were edited: {edited}")
    place = Path("notes.md")
    if not place.is_file() or place.is_symlink():
        failed("there is no notes.md")
    heading, entries, headings = "", [], []
    for line in place.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line[3:].strip()
            headings.append(heading)
        elif re.match(r"\s*[-*] ", line):
            entries.append([heading, line.strip()[2:]])
        elif line.strip() and entries and not line.startswith("#"):
            entries[-1][1] += " " + line.strip()
    if headings[:1] != [BREAKING]:
        failed("breaking changes do not stand first")
    seen, people = {}, {}
    for heading, text in entries:
        names = [number or short[:7] for number, short in re.findall(r"#(\d+)\b|\b([0-9a-f]{7,40})\b(?=\)|`\))", text)]
        if heading == PEOPLE:
            people.update({login: set(names) for login in re.findall(r"@([\w-]+)", text)})
            continue
        if re.search(r"\w+\(\)|\w\.(py|toml)\b", text):
            failed(f"a file or function: {text}")
        for name in names:
            if name in seen:
                failed(f"{name} stands there twice")
            seen[name] = (heading, text)
    if set(seen) != set(WANTED):
        failed(f"missing {sorted(set(WANTED) - set(seen))}, too many {sorted(set(seen) - set(WANTED))}")
    for name, (places, needed, wrong) in WANTED.items():
        heading, text = seen[name]
        if heading not in places:
            failed(f"{name} stands under {heading}")
        for word in needed:
            if not re.search(word, text):
                failed(f"{name} does not say {word}: {text}")
        for word in wrong:
            if re.search(word, text):
                failed(f"{name} says {word}: {text}")
    if set(people) != {"example-3", "example-4"} or people["example-3"] != {"26"} or people["example-4"] != {"31"}:
        failed(f"new contributors: {people}")
    print("every change is there, as it is")


main()
