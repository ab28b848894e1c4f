"""Step 8: each number of the answer comes out again, dates are true, nothing is answered that nobody defined.

    check-8.py ANSWER --on CONNECTION --from DAY --to DAY --base COMMIT --signed DIR [--signed ...] --term WORD [--term ...]
               --newest TABLE.COLUMN [--newest ...] [--rows DIGEST]

ANSWER is JSON: {"results": {"<term>": {"number": 1.5, "query": "answer/query.sql"}, "<other>": {"number": null,
"missing": "which column"}}, "newest": {"<table>": "<day>"}}. Where a table's newest day is before --to, a result with a
number has "partial" too, a sentence that names the table. --term: each thing that the asker asked for.
--base: the id of the commit (a tag can be moved) at which the folders --signed, definitions and the code of the tables, are
as their owners left them. --rows: where no load comes between, what --digest printed of the tables before the work.
"""

import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys
from decimal import Decimal


def run(*argv, text=None):
    return subprocess.run(argv, input=text, capture_output=True, text=True)


def asked(connection, text, **names):
    words = [word for name, value in names.items() for word in ("-v", f"{name}={value}")]
    return run("psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", *words, connection, text=text).stdout.strip()


def headings(base, folders):
    """The headings of the definitions as they were signed."""
    names = run("git", "ls-tree", "-r", "--name-only", base, "--", *folders).stdout.split()
    text = "\n".join(run("git", "show", f"{base}:{name}").stdout for name in names)
    return {found.strip().lower() for found in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


def digest(connection, tables):
    lines = "".join(f"SELECT t::text FROM {name.rpartition('.')[0]} t ORDER BY 1;" for name in tables)
    return hashlib.sha256(asked(connection, f"SET timezone = 'UTC'; {lines}").encode()).hexdigest()[:16]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("answer", type=pathlib.Path)
    for name in ("on", "from", "to", "base"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--rows")
    parser.add_argument("--digest", action="store_true", help="print the digest of the tables, and end")
    for name in ("term", "newest", "signed"):
        parser.add_argument(f"--{name}", required=True, action="append")
    told = vars(parser.parse_args())
    if told["digest"]:
        print(digest(told["on"], told["newest"]))
        return 0
    if not told["answer"].is_file():
        print(f"{told['answer']} is not there")
        return 1
    answer, wrong = json.loads(told["answer"].read_text(), parse_float=Decimal), []
    changed = run("git", "diff", "--name-only", told["base"], "--", *told["signed"])
    extra = run("git", "ls-files", "--others", "--", *told["signed"]).stdout
    if changed.returncode or changed.stdout or extra:
        names = ", ".join((changed.stdout + extra).split()) or changed.stderr.strip()
        wrong.append(f"not as it was signed: {names}; propose a line, its owner signs it")
    if told["rows"] and digest(told["on"], told["newest"]) != told["rows"]:
        wrong.append("the rows of the tables are not those of before the work")
    known, results = headings(told["base"], told["signed"]), answer.get("results", {})
    for term in told["term"]:
        found = results.get(term, {})
        if term.lower() not in known:
            if found.get("number") is not None or not found.get("missing"):
                wrong.append(f"{term!r} has no definition: give no number, and say what is missing")
            continue
        query = pathlib.Path(found.get("query") or "")
        again = asked(told["on"], query.read_text(), **{"from": told["from"], "to": told["to"]}) if query.is_file() else "no query"
        if str(found.get("number")) != again and not (re.fullmatch(r"-?[\d.]+", again) and found.get("number") == Decimal(again)):
            wrong.append(f"{term}: the answer says {found.get('number')}, its query {again or 'fails'}")
    wrong += [f"{term!r} was not asked for" for term in set(results) - set(told["term"])]
    given = {term: found for term, found in results.items() if found.get("number") is not None}
    for name in told["newest"]:
        table, _, column = name.rpartition(".")
        newest = asked(told["on"], f"SELECT max({column})::date FROM {table}")
        if answer.get("newest", {}).get(table) != newest:
            wrong.append(f"{table}: the answer says data until {answer.get('newest', {}).get(table)}, it is {newest or 'not readable'}")
        if newest < told["to"] and (silent := [term for term, found in given.items() if table not in str(found.get("partial"))]):
            wrong.append(f"{table} ends on {newest or 'no day'}, before the period does: {', '.join(silent)} does not say so under partial")
    print("\n".join(wrong) or "the answer comes out again")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
