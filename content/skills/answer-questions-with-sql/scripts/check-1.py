"""Step 1, PostgreSQL: the role reads what it is meant to read, and can do nothing else.

    check-1.py CONNECTION --may SCHEMA.TABLE [--may ...] [--personal COLUMN ...] [--seconds 30]

CONNECTION is the role's own, as for psql ("dbname=shop user=analyst"). Exit code 0: all as it should be. What the role
reads is looked through, too: 2000 rows of each table, for mail addresses, and for --personal as keys inside a column.
"""

import argparse
import re
import subprocess
import sys

SEEN = """
WITH tables AS (
  SELECT c.oid, c.relowner, n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
  WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname !~ '^(pg_|information_schema$)')
SELECT 'reads|' || name || '|' || attname FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
  WHERE has_column_privilege(tables.oid, attname, 'SELECT')
UNION ALL SELECT 'may write ' || name FROM tables WHERE has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
  OR has_any_column_privilege(oid, 'INSERT, UPDATE')
UNION ALL SELECT 'may create in schema ' || nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND has_schema_privilege(oid, 'CREATE')
UNION ALL SELECT 'may create schemas' WHERE has_database_privilege(current_database(), 'CREATE')
UNION ALL SELECT 'is a member of ' || rolname FROM pg_roles WHERE rolname <> current_user AND pg_has_role(current_user, oid, 'MEMBER')
UNION ALL SELECT 'is superuser, or may make roles or databases, or passes over row policies' FROM pg_roles
  WHERE rolname = current_user AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)
UNION ALL SELECT 'may call ' || p.oid::regprocedure || ', which runs with its owner''s rights' FROM pg_proc p
  WHERE prosecdef AND pronamespace::regnamespace::text !~ '^(pg_|information_schema$)' AND has_function_privilege(p.oid, 'EXECUTE')
"""


def psql(connection, *statements):
    words = [word for statement in statements for word in ("-c", statement)]
    argv = ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", connection, *words]
    return subprocess.run(argv, capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("connection")
    parser.add_argument("--may", action="append", required=True)
    parser.add_argument("--personal", action="append", default=[])
    parser.add_argument("--seconds", type=int, default=30)
    told = parser.parse_args()
    seen = psql(told.connection, SEEN)
    if seen.returncode:
        print(f"the role cannot look at its own rights: {seen.stderr.strip()}")
        return 1
    lines = seen.stdout.splitlines()
    columns = [line.split("|")[1:] for line in lines if line.startswith("reads|")]
    wrong = [f"the role {line}; take it away" for line in lines if not line.startswith("reads|")]
    tables = {table for table, _ in columns}
    wrong += [f"the role reads {name}, which is not meant; REVOKE it" for name in sorted(tables - set(told.may))]
    wrong += [f"the role cannot read {name}; GRANT SELECT on it" for name in sorted(set(told.may) - tables)]
    wrong += [f"the role reads {table}.{column}; grant a view without it" for table, column in columns if column in told.personal]
    for table in told.may:
        read = psql(told.connection, f"SELECT FROM {table} LIMIT 0")
        if read.returncode and table in tables:
            wrong.append(f"reading {table} fails; GRANT USAGE on the schema: {read.stderr.strip()}")
        names = ", ".join(f'"{column}"' for other, column in columns if other == table) or "NULL"
        inside = psql(told.connection, f"SELECT to_jsonb(t) FROM (SELECT {names} FROM {table} LIMIT 2000) t").stdout
        keys = "|".join(map(re.escape, told.personal)) or "(?!)"
        if found := re.search(rf"[\w.+-]+@[\w-]+\.\w+|\W(?:{keys})\W+:", inside):
            wrong.append(f"rows of {table} hold {found[0]!r}; grant a view without the column that it is in")
        delete = f"BEGIN; DELETE FROM {table}; ROLLBACK"
        if not psql(told.connection, "SET default_transaction_read_only = off", delete).returncode:
            wrong.append(f"after SET default_transaction_read_only = off, DELETE FROM {table} goes through")
    if psql(told.connection, "SHOW default_transaction_read_only").stdout.strip() != "on":
        wrong.append("ALTER ROLE … SET default_transaction_read_only = on is missing")
    limit = psql(told.connection, "SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout'").stdout
    if not 0 < int(limit or 0) <= told.seconds * 1000:
        wrong.append(f"statement_timeout is not between 1 and {told.seconds} seconds")
    print("\n".join(wrong) or "the role reads what it should, and does nothing else")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
