"""Step 5: lists are cut, say so truly, and lead to every record once.

    check-5.py [calls.json]
"""

import re
import sys

from session import Service, Session, load


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


def main():
    calls, wrong = load(*sys.argv[1:]), []
    for number, data in enumerate(calls["data"]):
        service = Service(calls, data)
        session = Session(calls, service, calls["secrets"][0])
        for one in calls["lists"]:
            wrong += [f"{one['tool']} {one['arguments']}: {what}" for what in walked(session, calls, one, one["ids"][number])]
        session.stop()
        service.stop()
    print("\n".join(wrong) or "every record once, page by page")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
