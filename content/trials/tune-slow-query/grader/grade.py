# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""The outcome: rows, buffers, locks and the way back, in a server of the grader's own."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

GRADER = pathlib.Path(os.environ["GRADER"])
OLD = """SELECT o.id, o.placed_at, o.total, c.name,
  (SELECT max(s.sent_at) FROM shipment s WHERE s.order_number::int = o.id) AS last_sent,
  (SELECT count(*) FROM shipment s WHERE s.order_number::int = o.id AND s.lost) AS lost
FROM orders o JOIN customer c ON c.id = o.customer_id
WHERE o.customer_id = $1 AND o.placed_at >= $2
ORDER BY o.placed_at DESC, o.id DESC
LIMIT 50"""
SETS = ["'21', '2024-01-01'", "'9', '2024-09-01'", "'9', '2026-06-01'", "'1995', '2024-01-01'", "NULL, '2024-01-01'", "'444', '2025-01-01'"]
MOST = 600
INDEXES = "SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indisvalid AND indrelid::regclass::text !~ '^pg_' ORDER BY 1"
SHAPE = """SELECT attrelid::regclass || attname || atttypid::regtype FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'm') AND attnum > 0 ORDER BY 1"""
ROWS = "SELECT (SELECT md5(string_agg(t::text, ',' ORDER BY id)) FROM {} t)"


def failed(why):
    print(why)
    sys.exit(10)


def text(name):
    try:
        if os.path.islink(name):
            failed(f"{name} is a link")
        with open(name, "rb") as file:
            return file.read(20_000).decode()
    except (OSError, UnicodeDecodeError) as error:
        failed(f"{name}: {error}")


def child(command, quiet=False):
    """A command with the grader's server: exit code and output."""
    said = subprocess.run([os.environ["CHILD"], f"./.graded/db bash -c {shlex.quote(command)}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if quiet else None)
    return said.returncode, said.stdout.decode(errors="replace")


def run(base, sql):
    pathlib.Path(".graded/asked.sql").write_text(sql)
    code, said = child(f"psql -X -qAt -P null=NULL -v ON_ERROR_STOP=1 -d {base} -f .graded/asked.sql")
    return code, said


def ask(base, sql):
    code, said = run(base, sql)
    return said if code == 0 else failed(f"{base}: {sql[:60]}: {said[:200]}")


new = text("new.sql").strip().removesuffix(";")
if ";" in new or "\\" in new or not re.match(r"(--.*\n|\s)*(select|with)\b", new, re.IGNORECASE):
    failed("new.sql is not one SELECT")
for name in ("migration.sql", "undo.sql"):
    if "\\" in text(name):
        failed(f"{name} has commands of psql")
inventory = text("inventory.md")
for word in ("customer", "orders_customer_placed", "shipment_order_number", "shipment_sent"):
    if word not in inventory:
        failed(f"inventory.md does not name {word}")
for table, count in (("customer", 2000), ("orders", 20000), ("shipment", 28235)):
    lines = [re.sub(r"(?<=\d)[,_' \u202f](?=\d{3}\b)", "", line) for line in inventory.splitlines() if re.search(rf"\b{table}\b", line)]
    if not any(abs(int(number) - count) <= count / 10 for line in lines for number in re.findall(r"\b\d{1,9}\b", line)):
        failed(f"inventory.md does not say how many rows {table} has")
if not re.search(r"(?i)invalid|not valid|broken|unfinished|\bno\b|\bf\b|false", "\n".join(re.findall(r".*\bshipment_order\b.*", inventory))):
    failed("inventory.md does not say that shipment_order is invalid")
shutil.rmtree(".graded", ignore_errors=True)
os.mkdir(".graded")
for name in ("base.sql", "later.sql", "db"):
    shutil.copy(GRADER / name, f".graded/{name}")
os.chmod(".graded/db", 0o755)
made = """as=; [ $(id -u) != 0 ] || as="unshare --user --map-user=1000 --map-group=1000"; initdb=$(find /usr/lib/postgresql -maxdepth 3 -name initdb | sort -V | tail -n 1); mkdir -m 700 .graded/pg
$as "$initdb" -D .graded/pg -U owner -A trust --no-sync --wal-segsize=1 -E UTF8 --locale=C.UTF-8 > /dev/null &&
printf "fsync = off\\nlisten_addresses = ''\\nmax_wal_size = 32MB\\nmin_wal_size = 2MB\\ntimezone = 'UTC'\\nautovacuum = off\\n" >> .graded/pg/postgresql.conf"""
if subprocess.run([os.environ["CHILD"], made]).returncode:
    sys.exit("no server of the grader's own")
code, said = child("createdb g && psql -X -q -v ON_ERROR_STOP=1 -d g -f .graded/base.sql > /dev/null && createdb -T g g2")
if code:
    sys.exit(f"the grader's rows: {said}")

PLAN = "EXPLAIN (ANALYZE, BUFFERS, SETTINGS, FORMAT JSON)"


def rows(base, statement):
    """What a statement says for each set, with its columns' names; nothing where it breaks."""
    asked = "".join(f"\nEXECUTE q({values});" for values in SETS)
    return run(base, f"\\pset tuples_only off\n\\pset footer off\nPREPARE q AS {statement}\n;{asked}")


def plans(base, statement):
    for values in SETS:
        said = ask(base, f"PREPARE q AS {statement}\n;\nEXECUTE q({values});\n\\echo plan:\n{PLAN} EXECUTE q({values});")
        yield json.loads(said.rpartition("plan:\n")[2])[0]


FILE = "SELECT pg_relation_filenode(indexrelid) FROM pg_index WHERE indexrelid = to_regclass('shipment_order') AND indisvalid = {}"
shape, indexes, broken = ask("g", SHAPE), ask("g", INDEXES), ask("g", FILE.format("false"))
before = [ask("g", ROWS.format(table)) for table in ("customer", "orders", "shipment")]
# Some keep their transactions open, one after the other; a writer behind them must not wait.
busy = """write="INSERT INTO orders (customer_id, placed_at, total) VALUES (1, now(), 1); INSERT INTO shipment (order_number) VALUES ('99999999')"
touch .graded/going
for n in 1 2 3 4; do
  ( sleep 0.$((n * 2 - 1)); sleep 0.$((n * 2 - 1)); while [ -f .graded/going ]; do psql -X -q -d {base} -c "BEGIN; $write; SELECT pg_sleep(2); COMMIT" > /dev/null; done ) &
done
( while [ -f .graded/going ]; do psql -X -q -v ON_ERROR_STOP=1 -d {base} -c "SET lock_timeout = '1s'" -c "$write" || echo waited; sleep 0.05; done ) > .graded/writer 2>&1 &
sleep 3
psql -X -q -v ON_ERROR_STOP=1 -d {base} -f {file} > /dev/null; code=$?
sleep 1.5; rm .graded/going; wait; ! grep -q waited .graded/writer || code=77; exit $code"""
code, _ = child(busy.format(base="g2", file="migration.sql"))
if code:
    failed("the migration keeps writers waiting" if code == 77 else "the migration fails beside writers")
code, _ = child("psql -X -q -v ON_ERROR_STOP=1 -d g -f migration.sql > /dev/null")
if code:
    failed("the migration fails")
if [ask("g", ROWS.format(table)) for table in ("customer", "orders", "shipment")] != before:
    failed("the migration changes rows")
if ask("g2", "SELECT count(*) FROM pg_index WHERE NOT indisvalid").strip() != "0":
    failed("an invalid index is left")
found = list(plans("g", new))
for values, plan in zip(SETS, found, strict=True):
    used = plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]
    if used > MOST or plan.get("Settings"):
        failed(f"{values}: {used} buffers, settings {plan.get('Settings')}")
if broken in (ask("g", FILE.format("true")), ""):
    failed("the index whose building was broken off is called valid")
if lost := set(indexes.splitlines()) - set(ask("g", INDEXES).splitlines()):
    failed(f"an index that served others is gone: {lost}")
added = set(ask("g", INDEXES).splitlines()) - set(indexes.splitlines())
for one in added:
    name = re.search(r"INDEX (\S+) ON", one)[1]
    if f'"{name}"' not in json.dumps(found):
        failed(f"nothing uses {name}")
    keys = one[one.index("USING") : -1]
    if any(f" {keys}" in other for other in [*indexes.splitlines(), *(added - {one})] if other.split(" ON ")[1].split()[0] == one.split(" ON ")[1].split()[0]):
        failed(f"{name} repeats an index")
if len(added) > 2:
    failed("more indexes than the goal needs")
for later in (False, True):
    if later and child("psql -X -q -v ON_ERROR_STOP=1 -d g -f .graded/later.sql > /dev/null")[0]:
        failed("what everybody writes is refused after the migration")
    old, mine = rows("g", OLD), rows("g", new)
    if old[0]:
        sys.exit("the old statement breaks")
    if mine != old:
        failed(f"other rows{' after more writes' if later else ''}")
code, _ = child(busy.format(base="g2", file="undo.sql"))
if code:
    failed("the way back fails, or keeps writers waiting")
code, _ = child("psql -X -q -v ON_ERROR_STOP=1 -d g -f undo.sql > /dev/null")
if code or (ask("g", SHAPE), ask("g", INDEXES)) != (shape, indexes):
    failed("undo does not lead back")
print("the same rows with fewer buffers; nobody waits, and there is a way back")
