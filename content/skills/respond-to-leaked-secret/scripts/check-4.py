"""Step 4: places.csv has every copy of the value, and of the secrets beside it; no place counts as removed that still has one.

    check-4.py places.csv --value old.txt [--repository origin.git ...] [--folder exports ...] [--besides PATH] [--ref NAME] [--no-secret FINGERPRINT]

places.csv has the columns place, secret and state. A place is a file's path, or `origin.git:path`, or `origin.git:message`;
a secret is the first 12 characters of its SHA-256; a state is leaked, revoked or removed. The search opens gzip, zip, tar and
images, knows base64 and addresses, and reads all refs: give it a mirror, with the forge's pull requests. --besides: where
the value is kept for the search. --ref: a ref that the first repository had when the incident began (`git ls-remote`) and has
still: what it showed is not removed when it is deleted, clones have it. The value is never printed.
"""

import argparse
import csv
import pathlib

from leak import fingerprint, forms, git, neighbours, of_folder, of_repository, said, texts, value_of


def search(told):
    """The places of each secret, by fingerprint, the neighbours' as well."""
    there = [one for folder in told.folder for one in of_folder(folder)]
    there += [one for folder in told.repository for one in of_repository(folder)]
    there = [(place, text) for place, data in there if place not in told.besides for text in texts(data)]
    values, found = [value_of(path) for path in told.value], {}
    for value in values:
        name = fingerprint(value)
        found[name] = {place for place, text in there if any(form in text for form in forms(value))}
        for other in sorted({other for place, text in there for other in neighbours(text, value)}):
            if other not in values and fingerprint(other) not in told.no_secret:
                values.append(other)
    return found


def problems(told):
    if not pathlib.Path(told.table).is_file():
        yield f"there is no {told.table}"
        return
    for ref in sorted(set(told.ref) - {line.split()[1] for line in git(".", "ls-remote", told.repository[0]).splitlines()}) if told.ref else ():
        yield f"{ref} is gone from {told.repository[0]}: what it showed is not removed by that, and can no more be searched"
    text = pathlib.Path(told.table).read_text(errors="replace")
    rows = [[(row.get(key) or "").strip() for key in ("place", "secret", "state")] for row in csv.DictReader(text.splitlines())]
    found = search(told)
    for name, places in found.items():
        mine = [row for row in rows if row[1] == name]
        if not places:
            yield f"{name}: the search finds not even the known copy; its zeros count for nothing"
        if not mine:
            yield f"{name}: a secret that no row names, in {', '.join(sorted(places))}"
        for place in sorted(places):
            states = {state for where, _, state in mine if where == place}
            if not states:
                yield f"{name}: no row for {place}"
            elif "removed" in states:
                yield f"{name}: {place} counts as removed, and it is there"
    for place, name, state in rows:
        if state not in ("leaked", "revoked", "removed"):
            yield f"{place}: {state or 'no state'} is none of leaked, revoked, removed"
        elif name in found and state != "removed" and place not in found[name] and place not in told.besides:
            yield f"{name}: nothing found in {place}; is it removed, or searched in a wrong way?"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("table")
    parser.add_argument("--value", action="append", required=True)
    for name in ("repository", "folder", "besides", "ref", "no-secret"):
        parser.add_argument(f"--{name}", action="append", default=[])
    said(problems(parser.parse_args()), "every copy that the search finds has its row")


if __name__ == "__main__":
    main()
