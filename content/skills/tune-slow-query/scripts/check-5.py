"""Step 5: old and new statement give the same rows in the same order, on the copy and on copies whose rows were made odd.

    check-5.py COPY --old slow/orders.sql --new new.sql --migration migration.sql --set 17 2026-01-01 --set 3 2025-06-01 \\
        [--wrong wrong.sql] [--more SQL]

COPY is a database, or a script for psql that makes it. The migration runs first, and must change no row. Then throw-away
copies get, column by column and where the table takes it, NULLs, values of other rows (duplicates, ties), new rows, and
rows gone; each set is asked as it is and with each parameter NULL. --more is one copy's change by hand: what your rows
may become and are not yet, such as keys with more digits. A statement that was rewritten needs --wrong: a
copy of it that is wrong on purpose, in which the same comparison must find a difference.
"""

import argparse
import pathlib
import sys

from copies import ask, drop, execute, make, migrate, options, psql, statement, statements

TABLES = "SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) ORDER BY 1"
COLUMNS = "SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = '{}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum"
ODD = {
    "as it is": "",
    "with NULLs": "UPDATE {t} SET {c} = NULL WHERE ctid = ANY (SELECT ctid FROM {t} WHERE {pick} % 5 = 0)",
    "with values of other rows": """WITH mine AS (SELECT ctid AS at, {c} AS was, row_number() OVER (ORDER BY {key}, ctid) AS n FROM {t})
      UPDATE {t} SET {c} = other.was FROM mine JOIN mine other ON other.n = mine.n + 1 WHERE ctid = mine.at AND mine.n % 2 = 0""",
    "with rows gone": "DELETE FROM {t} WHERE {pick} % 3 = 0",
}
PICK = "abs(hashtext(ctid::text || '{c}')::bigint)"


def columns(base, table):
    return ask(base, COLUMNS.format(table)).split("\n")


def made_odd(base, way):
    """Each change by itself; what the table refuses is left out."""
    for table in ask(base, TABLES).split():
        names = columns(base, table)
        for name in names if "{c}" in way else names[:1]:
            psql(base, text=way.format(t=table, key=names[0], c=name, pick=PICK.format(c=name.strip('"'))))
        others = ", ".join(names[1:])
        if way and others:  # rows that come after the migration, with the next keys
            psql(base, text=f"INSERT INTO {table} ({others}) SELECT {others} FROM {table} WHERE {PICK.format(c='new')} % 7 = 0")


def hashes(base):
    return {t: ask(base, f"SELECT count(*), sum(hashtext(t::text)::bigint) FROM {t} t") for t in ask(base, TABLES).split()}


def differing(base, told, other):
    """The sets with which a statement gives other rows, or another order, than the old one."""
    sets = told.sets + [[None if at == gone else value for at, value in enumerate(one)] for one in told.sets for gone in range(len(one))]
    for values in [list(one) for one in dict.fromkeys(map(tuple, sets))]:
        mine, theirs = (psql(base, "-P", "tuples_only=off", "-P", "footer=off", text=execute(text, values)) for text in (told.old, other))
        if not mine.returncode and (theirs.returncode or mine.stdout != theirs.stdout):
            yield f"{' '.join(map(str, values))}: {theirs.stderr.strip()[:200] or 'other rows'}"


def main():
    parser = argparse.ArgumentParser()
    options(parser)
    statements(parser)
    parser.add_argument("--wrong", default="wrong.sql")
    parser.add_argument("--more", action="append", default=[])
    told = parser.parse_args()
    bad = statement(told.wrong) if pathlib.Path(told.wrong).is_file() else None
    rewritten, seen, wrong = told.old.split() != told.new.split(), False, []
    if rewritten and bad is None:
        wrong.append(f"the statement was rewritten, and there is no {told.wrong} for the comparison to find")
    whole = make(told.source, "check_whole", told.anchor)
    before = hashes(whole)
    wrong += [why for why in [migrate(whole, told.migration)] if why]
    after = hashes(whole)
    wrong += [f"the migration changes rows of {table}" for table, was in before.items() if after.get(table) != was]
    for name, way in [*ODD.items(), *((f"after {text}", text) for text in told.more)]:
        base = make(whole, "check_rows", told.anchor)
        if way in told.more:
            ask(base, way)
        else:
            made_odd(base, way)
        wrong += [f"the copy {name}, {why}" for why in differing(base, told, told.new)]
        seen = seen or bool(rewritten and bad and any(differing(base, told, bad)))
        drop(base, told.anchor)
    drop(whole, told.anchor)
    if rewritten and bad and not seen:
        wrong.append(f"{told.wrong} is not told from the old statement: it is right, or the sets are too easy")
    print("\n".join(list(dict.fromkeys(wrong))[:12]) or f"the same rows with {len(told.sets)} sets on {len(ODD) + len(told.more)} copies")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
