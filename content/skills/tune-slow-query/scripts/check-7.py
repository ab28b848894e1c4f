"""Step 7: while the migration runs nobody who writes waits for a second, it leaves no invalid index, and undo leads back.

    check-7.py COPY --migration migration.sql --undo undo.sql --write "INSERT INTO shipment (order_number) VALUES ('17')" ...

COPY is a database, or a script for psql that makes it; all runs in throw-away copies. Beside migration and undo one session
does each --write every 100 ms and is cut off when it waits a second for a lock; others write and keep their
transaction open for 1.6 s, so that whatever locks writers out queues behind them, however quickly a small copy is
done. Then the migration runs once more with CONCURRENTLY taken out, and the writer must notice. Writes should be
inserts, or touch rows of their own.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from copies import ask, drop, indexes, make, migrate, options

CATALOGUE = """SELECT 'column ' || attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, atttypmod) || attnotnull::text ||
  coalesce(pg_get_expr(adbin, adrelid), '') || attstattarget FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attnum > 0 AND relkind IN ('r', 'p', 'v', 'm') AND NOT attisdropped AND relnamespace = 'public'::regnamespace
UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'index ' || pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indisvalid AND relnamespace = 'public'::regnamespace
UNION ALL SELECT 'statistics ' || pg_get_statisticsobjdef(oid) FROM pg_statistic_ext
UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'function ' || oid::regprocedure || md5(prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL SELECT 'setting ' || setrole::regrole || setconfig::text FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase WHERE datname = current_database()"""


def begin(base, text):
    """A session with a script that lasts longer than any migration."""
    script = tempfile.TemporaryFile("w+")
    script.write(text)
    script.seek(0)
    out = tempfile.TemporaryFile("w+")
    return subprocess.Popen(["psql", "-X", "-d", base], stdin=script, stdout=out, stderr=out), out


def beside(base, file, writes):
    """Run a file with writers beside it: why it fails, how often the writer was kept waiting, how many rows it wrote."""
    done = "; ".join(writes)
    sessions = [begin(base, f"SET lock_timeout = '1s';\n" + f"{done}; SELECT pg_sleep(0.1);\n" * 6000)]
    for number in range(6):
        sessions.append(begin(base, f"SELECT pg_sleep({number * 0.27});\n" + f"BEGIN; {done}; SELECT pg_sleep(1.6); COMMIT;\n" * 600))
    ask(base, "SELECT pg_sleep(2.5)")
    why = migrate(base, file)
    ask(base, "SELECT pg_sleep(1.5)")
    for session, _ in sessions:
        session.terminate()
        session.wait()
    out = sessions[0][1]
    out.seek(0)
    said = out.read()
    return why, said.count("lock timeout"), len(re.findall(r"^(?:INSERT|UPDATE|DELETE)", said, re.MULTILINE))


def main():
    parser = argparse.ArgumentParser()
    options(parser)
    parser.add_argument("--undo", default="undo.sql")
    parser.add_argument("--write", action="append", required=True)
    told = parser.parse_args()
    base, wrong = make(told.source, "check_locks", told.anchor), []
    before = set(ask(base, CATALOGUE).splitlines())
    for file in (told.migration, told.undo):
        why, waits, rows = beside(base, file, told.write)
        wrong += [f"beside writers {why}"] if why else []
        wrong += [f"{file} keeps writers waiting for more than a second"] if waits else []
        wrong += [] if rows > 20 else [f"the writer wrote {rows} rows: it measures nothing"]
        wrong += [f"{file} leaves {index['name']} invalid" for index in indexes(base).values() if not index["valid"]]
    for line in sorted(before ^ set(ask(base, CATALOGUE).splitlines())):
        wrong.append(f"{told.undo} does not lead back: {line}")
    text = pathlib.Path(told.migration).read_text()
    plain = re.sub(r"\bCONCURRENTLY\b", "", text, flags=re.IGNORECASE)
    if plain != text and not wrong:
        base = make(told.source, "check_locks", told.anchor)
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
            file.write(plain)
            file.flush()
            if not beside(base, file.name, told.write)[1]:
                wrong.append("with CONCURRENTLY taken out the writer notices nothing: it does not write where the migration works")
    drop(base, told.anchor)
    print("\n".join(wrong) or "no writer waited, no invalid index is left, and undo leads back")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
