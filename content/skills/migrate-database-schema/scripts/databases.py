"""PostgreSQL databases of a rehearsal: made, asked, and held against each other by catalogue and by hashes of columns.

No check of its own: `check-5.py` and `probes.py` use it. Psql finds the server by PGHOST and so on.
"""

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


def psql(base, *words, text=None):
    argv = ["psql", "-X", "-q", "-At", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", base, *words]
    return subprocess.run(argv, input=text, capture_output=True, text=True)


def ask(base, statement):
    said = psql(base, text=statement)
    return said.stdout if not said.returncode else f"error: {said.stderr.strip()[:300]}"


def make(anchor, name, template="template0"):
    """A fresh database; none at all where the template is None."""
    psql(anchor, "-c", f"DROP DATABASE IF EXISTS {name}")
    said = psql(anchor, "-c", f"CREATE DATABASE {name} TEMPLATE {template}") if template else None
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


def run(files, base, phase, way):
    """Run the files of a phase in their order, downs in the reverse one: why one of them fails, or nothing."""
    found = sorted((files / phase).glob(f"*.{way}.sql"), reverse=way == "down")
    if not found:
        return f"there is no {phase}/*.{way}.sql"
    for file in found:
        said = psql(base, "-f", str(file))
        if said.returncode:
            return f"{phase}/{file.name}: {said.stderr.strip()[:300]}"
    return ""
