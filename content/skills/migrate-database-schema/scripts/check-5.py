"""Steps 3 to 5, PostgreSQL: rehearse the migration on databases of its own, and compare states, not statements.

    check-5.py BACKUP --sha256 DIGEST --files DIR --old TABLE --new TABLE --old-rows SQL --new-rows SQL [--copy DATABASE]
               [--writes writes.sql] [--new-writes new-writes.sql] [--refused refused.sql]

BACKUP is plain SQL (`pg_restore -f` makes it). --writes: what the old version does to the old tables, with fixed times;
--new-writes: what the new one does; --refused: statements, one a line, that must fail. DIGEST is what `cat BACKUP writes.sql
new-writes.sql refused.sql | sha256sum` said when they were handed over. DIR holds expand/, backfill/ and contract/ with
*.up.sql and *.down.sql. --old is the table that is read, its key the first column; --new the table (or table.column) that the
backfill writes. --old-rows and --new-rows are two SELECTs, the reviewer's own, that must give the same rows. Writes to each
column of --old and wrong values for each column that both have are tried as well. Psql finds the server by PGHOST and so on,
never production: databases check_* are made and dropped there.
"""

import argparse
import hashlib
import pathlib
import sys

import databases
from databases import ask, lost, psql, state
from probes import STOP, numbers_ahead, other_writes, still_refused, used

TOLD = argparse.Namespace()


def make(name, template="template0"):
    return databases.make(TOLD.anchor, name, template)


def run(base, phase, way):
    return databases.run(TOLD.files, base, phase, way)


def differences(base, what):
    old, new = TOLD.old_rows, TOLD.new_rows
    both = f"SELECT * FROM (({old}) EXCEPT ALL ({new})) a UNION ALL SELECT * FROM (({new}) EXCEPT ALL ({old})) b"
    said = ask(base, f"SELECT count(*) FROM ({both}) differing").strip()
    return [] if said == "0" else [f"{what}: rows that are not the same in old and new: {said}"]


def rehearse():
    base, control, work = make("check_base"), None, None
    if said := psql(base, "-f", str(TOLD.backup)).stderr:
        return [f"the backup cannot be restored: {said[:300]}"]
    control, work = make("check_control", base), make("check_work", base)
    if (said := psql(control, "-f", str(TOLD.writes))).returncode:
        sys.exit(f"--writes does not run on the backup: {said.stderr}")
    before, wrong = state(base), []
    if why := run(work, "expand", "up"):
        return [why]
    wrong += [f"expand changed {name}" for name in lost(before, state(work, before))]
    table, _, column = TOLD.new.partition(".")
    psql(work, text=STOP.format(half=TOLD.half, table=table, when=f"WHEN (new.{column} IS NOT NULL)" if column else ""))
    before_fill = ask(work, f"SELECT count({column or '*'}) FROM {table}").strip()
    if "planted interruption" not in run(work, "backfill", "up"):
        wrong.append(f"the backfill went on when writing to {table} failed in the middle")
    elif ask(work, f"SELECT count({column or '*'}) FROM {table}").strip() == before_fill:
        wrong.append("nothing was kept when the backfill broke off: it does not commit batches")
    psql(work, text="DROP FUNCTION check_stop CASCADE; DROP SEQUENCE check_seen")
    if (said := psql(work, "-f", str(TOLD.writes))).returncode:
        wrong.append(f"what the old version writes fails after expand: {said.stderr.strip()[:300]}")
    for time in ("after the interruption", "once more"):
        wrong += [f"the backfill, begun {time}: {why}" for why in [run(work, "backfill", "up")] if why]
    wrong += numbers_ahead(work, table)
    if (said := psql(work, text=";\n".join(other_writes(control, TOLD.old)))).returncode:
        wrong.append(f"what the old tables take fails after expand: {said.stderr.strip()[:300]}")
    wrong += differences(work, "after backfill, with writes to every column meanwhile")
    wrong += still_refused(control, TOLD.old, work, table)
    written = state(control)
    wrong += [f"expand and backfill changed {name}" for name in lost(written, state(work, written))]
    wrong += [f"after backfill: {line}" for line in used(make("check_used", work), TOLD.new_writes, TOLD.refused)]
    kept = ask("check_used", f"{TOLD.new_rows} ORDER BY 1")
    for base in (work, "check_used"):
        wrong += [f"the way back: {why}" for phase in ("backfill", "expand") if (why := run(base, phase, "down"))]
    if ask("check_used", f"{TOLD.old_rows} ORDER BY 1") != kept:
        wrong.append("the way back loses what the new version wrote into the new tables")
    after = state(work)
    wrong += [f"the way back leaves or lacks {name}" for name in sorted({*lost(written, after), *lost(after, written)})]
    wrong += [f"forwards again: {why}" for phase in ("expand", "backfill") for why in [run(work, phase, "up")] if why]
    wrong += differences(work, "forwards, backwards, forwards")
    kept = ask(work, TOLD.new_rows + " ORDER BY 1")
    if why := run(work, "contract", "up"):
        return [*wrong, why]
    if ask(work, TOLD.new_rows + " ORDER BY 1") != kept or kept.startswith("error"):
        wrong.append("contract changed rows of the new shape: it copies, or takes away too much")
    if not lost(written, state(work, written)):
        wrong.append("contract takes nothing away")
    wrong += [f"after contract: {line}" for line in used(work, TOLD.new_writes, TOLD.refused)]
    if TOLD.copy:
        wrong += [f"{TOLD.copy}: {name} is not as in the backup" for name in lost(before, state(TOLD.copy, before))]
        wrong += differences(TOLD.copy, TOLD.copy)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("backup", type=pathlib.Path)
    for name in ("sha256", "old", "new", "old-rows", "new-rows"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--files", required=True, type=pathlib.Path)
    for name in ("writes", "new-writes", "refused"):
        parser.add_argument(f"--{name}", default=f"{name}.sql", type=pathlib.Path)
    parser.add_argument("--copy")
    parser.add_argument("--anchor", default="postgres", help="a database to connect to")
    parser.add_argument("--half", type=int, default=1000, help="after how many rows the backfill is broken off")
    parser.parse_args(namespace=TOLD)
    wrong = []
    given = [TOLD.backup, TOLD.writes, TOLD.new_writes, TOLD.refused]
    if hashlib.sha256(b"".join(file.read_bytes() for file in given if file.is_file())).hexdigest() != TOLD.sha256:
        wrong.append(f"{', '.join(map(str, given))} are not what was handed over")
    wrong = wrong or rehearse()
    for name in ("check_used", "check_work", "check_control", "check_base"):
        make(name, None)
    print("\n".join(dict.fromkeys(wrong)) or "there and back, and nothing is lost")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
