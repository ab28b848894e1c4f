"""Throw-away copies of a PostgreSQL database, and what a statement says and reads in them.

No check of its own: `check-4.py`, `check-5.py` and `check-7.py` use it. Psql finds the server by PGHOST and so on.
"""

import json
import pathlib
import re
import subprocess
import sys

INDEXES = """SELECT json_build_object('name', indexrelid::regclass, 'table', indrelid::regclass, 'valid', indisvalid, 'file', pg_relation_filenode(indexrelid), 'rule',
  concat(indisunique::text, conname), 'kind', concat_ws(' ', amname, pg_get_expr(indpred, indrelid)), 'keys',
  (SELECT json_agg(concat_ws(' ', pg_get_indexdef(indexrelid, k, true), indclass[k - 1], indoption[k - 1]) ORDER BY k)
    FROM generate_series(1, indnkeyatts) k))
FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a ON a.oid = relam LEFT JOIN pg_constraint ON conindid = indexrelid
  AND contype IN ('p', 'u', 'x') WHERE relnamespace NOT IN ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace)"""


def psql(base, *words, text=None):
    argv = ["psql", "-X", "-q", "-At", "-P", "null=(null)", "-v", "ON_ERROR_STOP=1", "-d", base, *words]
    return subprocess.run(argv, input=text, capture_output=True, text=True)


def ask(base, text):
    said = psql(base, text=text)
    if said.returncode:
        sys.exit(f"{base}: {said.stderr.strip()[:400]}")
    return said.stdout.strip()


def make(source, name, anchor):
    """A fresh database: from a script for psql where `source` is a file, else from the database of that name."""
    drop(name, anchor)
    file = pathlib.Path(source).is_file()
    ask(anchor, f"CREATE DATABASE {name} TEMPLATE {'template0' if file else source}")
    if file and (said := psql(name, "-f", str(source))).returncode:
        sys.exit(f"{source}: {said.stderr.strip()[:400]}")
    return name


def drop(name, anchor):
    ask(anchor, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def migrate(base, file):
    """Why the migration fails, or nothing."""
    said = psql(base, "-f", str(file))
    return f"{file}: {said.stderr.strip()[:400]}" if said.returncode else ""


def indexes(base):
    return {row["name"]: row for row in map(json.loads, ask(base, INDEXES).splitlines())}


def statement(file):
    """The text of one SELECT; psql's own commands, and a second statement, are refused."""
    text = pathlib.Path(file).read_text().strip().removesuffix(";")
    if ";" in text or "\\" in text or not re.match(r"(--.*\n|\s)*(SELECT|WITH)\b", text, re.IGNORECASE):
        sys.exit(f"{file} is not one SELECT")
    return text


def execute(text, values, before=""):
    quoted = ", ".join("NULL" if value is None else "'" + value.replace("'", "''") + "'" for value in values)
    return f"PREPARE asked AS {text}\n;\n{before} EXECUTE asked({quoted});"


def plan(base, text, values, first=""):
    """The plan with real parameters, the second time that it runs."""
    explain = execute(text, values, "EXPLAIN (ANALYZE, BUFFERS, SETTINGS, FORMAT JSON)")
    said = ask(base, f"{first}{explain}\nDEALLOCATE asked;\n\\echo second\n{explain}")
    return json.loads(said.partition("second\n")[2])[0]


def buffers(found):
    return found["Plan"]["Shared Hit Blocks"] + found["Plan"]["Shared Read Blocks"]


def options(parser):
    parser.add_argument("source", help="the copy: a database, or a script for psql that makes it")
    parser.add_argument("--anchor", default="postgres", help="a database to connect to")
    parser.add_argument("--migration", default="migration.sql")


def statements(parser):
    for name in ("old", "new"):
        parser.add_argument(f"--{name}", required=True, type=statement)
    parser.add_argument("--set", nargs="+", action="append", required=True, dest="sets", help="one set of parameters")
