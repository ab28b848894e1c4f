"""Steps 3 to 5, PostgreSQL: rehearse the migration on databases of its own, and compare states, not statements.

    check-5.py BACKUP --sha256 DIGEST --files DIR --new TABLE --old-rows SQL --new-rows SQL [--copy DATABASE]
               [--writes writes.sql] [--new-writes new-writes.sql] [--refused refused.sql]

BACKUP is plain SQL (`pg_restore -f` makes it). --writes: what the old version does to the old tables, with fixed times;
--new-writes: what the new one does; --refused: statements, one a line, that must fail. DIGEST is what `cat BACKUP writes.sql
new-writes.sql refused.sql | sha256sum` said when they were handed over. DIR holds expand/, backfill/ and contract/ with
*.up.sql and *.down.sql. --new: the table (or table.column) that the backfill writes. --old-rows and --new-rows are two
SELECTs, the reviewer's own, that must give the same rows. Psql finds the server by PGHOST and so on, never production:
databases check_* are made and dropped there.
"""

import argparse
import hashlib
import pathlib
import subprocess
import sys

CATALOGUE = """
WITH mine AS (SELECT oid FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema$)')
SELECT 'column ' || attrelid::regclass || '.' || attname, format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' ||
  coalesce(pg_get_expr(adbin, adrelid), '') FROM pg_attribute JOIN pg_class c ON c.oid = attrelid AND relkind IN ('r', 'p', 'v', 'm')
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attnum > 0 AND NOT attisdropped AND relnamespace IN (TABLE mine)
UNION ALL SELECT 'constraint ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace IN (TABLE mine)
UNION ALL SELECT 'index ' || indexrelid::regclass, pg_get_indexdef(indexrelid) || indisvalid::text FROM pg_index JOIN pg_class c ON c.oid = indrelid WHERE relnamespace IN (TABLE mine)
UNION ALL SELECT 'trigger ' || tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'function ' || oid::regprocedure, md5(prosrc) FROM pg_proc WHERE pronamespace IN (TABLE mine)
UNION ALL SELECT 'view ' || c.oid::regclass, md5(pg_get_viewdef(oid)) FROM pg_class c WHERE relkind IN ('v', 'm') AND relnamespace IN (TABLE mine)
UNION ALL SELECT 'rights ' || c.oid::regclass, coalesce(relacl::text, '') FROM pg_class c WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace IN (TABLE mine)
UNION ALL SELECT 'sequence ' || schemaname || '.' || sequencename, coalesce(last_value::text, '') FROM pg_sequences
"""
TOLD = argparse.Namespace()


def psql(base, *words, text=None):
    argv = ["psql", "-X", "-q", "-At", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", base, *words]
    return subprocess.run(argv, input=text, capture_output=True, text=True)


def ask(base, statement):
    said = psql(base, text=statement)
    return said.stdout if not said.returncode else f"error: {said.stderr.strip()[:300]}"


def make(name, template="template0"):
    psql(TOLD.anchor, "-c", f"DROP DATABASE IF EXISTS {name}")
    said = psql(TOLD.anchor, "-c", f"CREATE DATABASE {name} TEMPLATE {template}") if template else None
    if said and said.returncode:
        sys.exit(f"{name} cannot be made: {said.stderr.strip()}")
    return name


def state(base, like=None):
    """The catalogue, and for each column of each table (of the other state) a hash that does not know the order of rows."""
    listed = ask(base, CATALOGUE)
    if listed.startswith("error"):
        sys.exit(f"the catalogue of {base} cannot be read: {listed}")
    found = dict(line.split("\t", 1) for line in listed.splitlines() if "\t" in line)
    columns = [name[7:].rpartition(".") for name in (like or found) if name.startswith("column ")]
    for table in {table for table, _, _ in columns}:
        mine = [column for there, _, column in columns if there == table]
        hashes = ", '|', ".join(f"sum(('x' || md5(row({mine[0]}, {column})::text))::bit(64)::bigint::numeric)" for column in mine)
        values = ask(base, f"SELECT concat(count(*), '|', {hashes}) FROM {table}").strip().split("|")
        found[f"rows of {table}"] = values[0]
        found |= {f"values of {table}.{column}": value for column, value in zip(mine, values[1:], strict=False)}
    return found


def lost(before, after):
    return sorted(name for name, value in before.items() if after.get(name) != value)


def run(base, phase, way):
    files = sorted((TOLD.files / phase).glob(f"*.{way}.sql"), reverse=way == "down")
    if not files:
        return f"there is no {phase}/*.{way}.sql"
    for file in files:
        said = psql(base, "-f", str(file))
        if said.returncode:
            return f"{phase}/{file.name}: {said.stderr.strip()[:300]}"
    return ""


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
    before, written, wrong = state(base), state(control), []
    if why := run(work, "expand", "up"):
        return [why]
    wrong += [f"expand changed {name}" for name in lost(before, state(work, before))]
    table, _, column = TOLD.new.partition(".")
    planted = f"WHEN (new.{column} IS NOT NULL) " if column else ""
    psql(work, text=f"""CREATE SEQUENCE check_seen; CREATE FUNCTION check_stop() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN IF nextval('check_seen') > {TOLD.half} THEN RAISE 'planted interruption'; END IF; RETURN new; END$$;
      CREATE TRIGGER check_stop BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW {planted}EXECUTE FUNCTION check_stop()""")
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
    wrong += differences(work, "after backfill, with writes meanwhile")
    wrong += [f"expand and backfill changed {name}" for name in lost(written, state(work, written))]
    wrong += [f"after backfill: {line}" for line in used(make("check_used", work))]
    for phase in ("backfill", "expand"):
        wrong += [f"the way back: {why}" for why in [run(work, phase, "down")] if why]
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
    wrong += [f"after contract: {line}" for line in used(work)]
    if TOLD.copy:
        wrong += [f"{TOLD.copy}: {name} is not as in the backup" for name in lost(before, state(TOLD.copy, before))]
        wrong += differences(TOLD.copy, TOLD.copy)
    return wrong


def used(base):
    """What the new version writes must work, and what was refused must be refused."""
    said = psql(base, "-f", str(TOLD.new_writes))
    wrong = [f"what the new version writes fails: {said.stderr.strip()[:300]}"] if said.returncode else []
    for line in filter(str.strip, TOLD.refused.read_text().splitlines()):
        if not psql(base, "-1", "-c", line).returncode:
            wrong.append(f"not refused any more: {line}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("backup", type=pathlib.Path)
    for name in ("sha256", "new", "old-rows", "new-rows"):
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
