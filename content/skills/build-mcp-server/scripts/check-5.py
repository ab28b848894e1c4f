"""Step 5: lists are cut, say so truly, and lead to every record once; a record with 3,000 of something is cut as well.

    check-5.py [calls.json]

For the last, each list inside a record that a good call names, and each long text, is made longer in a copy of the first
records. Records that are no JSON: make such a copy by hand and name it in calls.json as "swollen".
"""

import collections
import json
import pathlib
import re
import sys

from service import Service, load
from session import Session

SIZE = 3000


def walked(session, calls, one, wanted):
    """What is wrong with a walk through all pages of a list."""
    wrong, seen, rows = [], [], calls["rows"]
    while len(seen) < len(wanted):
        more = {one["next"]: len(seen)} if seen else {}
        said, refused = session.call(one["tool"], {**one["arguments"], **more})
        found = list(dict.fromkeys(re.findall(calls["id"], said)))
        left = len(seen) + len(found) < len(wanted)
        if refused or not found or len(found) > rows or set(found) & set(seen) or set(found) - set(wanted):
            return [f"{more or 'the first page'}: {len(found)} rows (at most {rows}), not the next ones: {said[:120]!r}"]
        if len(said) > calls["characters"] or any(word in said for word in calls["never"]):
            wrong.append(f"{more or 'the first page'}: {len(said)} characters, or the raw record")
        seen += found
        ending = re.search(r"(\d+) of (\d+).*\b(\d+)\b", said)
        if left and (not ending or (ending[2], ending[3]) != (str(len(wanted)), str(len(seen)))):
            wrong.append(f"{more or 'the first page'}: must name the total {len(wanted)} and the next call, {len(seen)}")
        if not left and "call again" in said:
            wrong.append(f"{more or 'the first page'}: nothing is left, and it says to call again")
    return wrong + ([] if set(seen) == set(wanted) else [f"lost {sorted(set(wanted) - set(seen))}"])


def swollen(records, words):
    """The records, with the lists and long texts of those that hold one of the words made long."""
    if isinstance(records, list):
        return [swollen(one, words) for one in records]
    if not isinstance(records, dict):
        return records
    named = any(isinstance(value, str | int) and str(value) in words for value in records.values())
    grown = {name: swollen(value, words) for name, value in records.items()}
    for name, value in grown.items() if named else ():
        if isinstance(value, list) and value:
            grown[name] = [value[n % len(value)] for n in range(SIZE)]
        elif isinstance(value, str) and len(value) > 200:
            grown[name] = value * (100_000 // len(value))
    return grown


def flooded(calls, service, session):
    """What is wrong with answers about records that are much longer than usual."""
    good = [one for one in calls["calls"] if not one.get("refused")]
    words = {str(value) for one in good for value in one["arguments"].values()}
    if "swollen" in calls:
        service.change(pathlib.Path(calls["swollen"]).read_bytes())
    else:
        service.change(json.dumps(swollen(json.loads(pathlib.Path(calls["data"][0]).read_text()), words)).encode())
    session.call(good[0]["tool"], good[0]["arguments"])  # old connections end here
    for one in good:
        said, refused = session.call(one["tool"], one["arguments"])
        what = f"{one['tool']} {one['arguments']} of a long record"
        most = max(collections.Counter(re.split(r"[\n,; ]+", said)).values())
        if refused or len(said) > calls["characters"]:
            yield f"{what}: {len(said)} characters (at most {calls['characters']}), refused: {refused}"
        elif most > calls["rows"] // 4 and str(SIZE) not in said:
            yield f"{what}: shows some of {SIZE}, and does not say of how many"


def main():
    calls, wrong = load(*sys.argv[1:]), []
    for number, data in enumerate(calls["data"]):
        service = Service(calls, data)
        session = Session(calls, service, calls["secrets"][0])
        for one in calls["lists"]:
            wrong += [f"{one['tool']} {one['arguments']}: {what}" for what in walked(session, calls, one, one["ids"][number])]
        if not number:
            wrong += flooded(calls, service, session)
        session.stop()
        service.stop()
    print("\n".join(wrong) or "every record once, page by page")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
