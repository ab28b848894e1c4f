"""What the old version may do beyond the writes that somebody wrote down, and what the database must go on refusing.

No check of its own: `check-5.py` uses it.
"""

import re

from databases import ask, psql

COLUMNS = "SELECT attname FROM pg_attribute WHERE attrelid = '{}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum"
RULES = "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = '{}'::regclass"
NUMBERED = """SELECT attname, coalesce(pg_get_serial_sequence(attrelid::regclass::text, attname),
  substring(pg_get_expr(adbin, adrelid) from 'nextval\\(''([^'']+)''')) FROM pg_attribute LEFT JOIN pg_attrdef
  ON adrelid = attrelid AND adnum = attnum WHERE attrelid = '{}'::regclass AND attnum > 0 AND NOT attisdropped"""


STOP = """CREATE SEQUENCE check_seen; CREATE FUNCTION check_stop() RETURNS trigger LANGUAGE plpgsql AS
  $$BEGIN IF nextval('check_seen') > {half} THEN RAISE 'planted interruption'; END IF; RETURN new; END$$;
  CREATE TRIGGER check_stop BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW {when} EXECUTE FUNCTION check_stop()"""
TRIED = """CREATE FUNCTION pg_temp.taken(said text, keep bool) RETURNS bool LANGUAGE plpgsql AS $f$
DECLARE changed bigint;
BEGIN
  EXECUTE said;
  GET DIAGNOSTICS changed = ROW_COUNT;
  SET CONSTRAINTS ALL IMMEDIATE;
  IF NOT keep THEN RAISE SQLSTATE 'P9999'; END IF;
  RETURN changed > 0;
EXCEPTION WHEN SQLSTATE 'P9999' THEN RETURN true; WHEN OTHERS THEN RETURN false;
END $f$;
"""


def taken(base, statements, keep=False):
    """The statements that a database takes, each by itself; kept only where that is said."""
    asked = "".join(f"SELECT pg_temp.taken($q${one}$q$, {keep});\n" for one in statements)
    said = ask(base, TRIED + asked).split()
    return {one for one, taken in zip(statements, said, strict=False) if taken == "t"}


def columns(base, table):
    return ask(base, COLUMNS.format(table)).split()


def other_writes(base, table):
    """Writes to each column of a table that it takes, and has then: another row's value, a larger one, another key, NULL."""
    names = columns(base, table)
    key, tries = names[0], []
    for name in names:
        other = f"(SELECT {name} FROM {table} o WHERE o.{name} IS DISTINCT FROM {table}.{name} ORDER BY {key} LIMIT 1)"
        for value in (other, f"{name} + 1000000", f"{name} + interval '1 day'", f"{name} || 'x'", "NULL"):
            for _ in range(3):
                row = f"(SELECT {key} FROM {table} ORDER BY {key} LIMIT 1 OFFSET {50 + 7 * len(tries)})"
                tries.append(f"UPDATE {table} SET {name} = {value} WHERE {key} = {row}")
    done = taken(base, tries, keep=True)
    return [one for one in tries if one in done]


def still_refused(old, table, new, other):
    """Wrong values for a column of both tables that the old one refuses, and the new one takes."""
    limits = {int(number) for number in re.findall(r"-?\d+", ask(old, RULES.format(table)))} | {0}
    values = ["NULL", *sorted({str(number + step) for number in limits for step in (-1, 0, 1)}), "-1000000", "''"]
    mine, theirs = columns(old, table), columns(new, other)
    tries = [(name, value) for name in mine[1:] if name in theirs for value in values]

    def asked(where, key):
        return [f"UPDATE {where} SET {n} = {v} WHERE {key} = (SELECT min({key}) FROM {where})" for n, v in tries]

    one, two = asked(table, mine[0]), asked(other, theirs[0])
    before, after = taken(old, one), taken(new, two)
    for (name, value), write, there in zip(tries, one, two, strict=True):
        if write not in before and there in after:
            yield f"{other} takes {name} = {value}, and {table} refuses it"


def numbers_ahead(base, table):
    """Sequences whose next number is not beyond the largest there is."""
    for line in ask(base, NUMBERED.format(table)).splitlines():
        name, _, sequence = line.partition("\t")
        if sequence:
            next_one = f"(SELECT last_value + is_called::int FROM {sequence})"
            said = ask(base, f"SELECT {next_one}, max({name}) FROM {table} HAVING {next_one} <= max({name})")
            if said.strip():
                yield f"the next number of {table}.{name} is not beyond the largest there is: {said.strip()!r}"


def used(base, new_writes, refusals):
    """What the new version writes must work, and what was refused must be refused."""
    said = psql(base, "-f", str(new_writes))
    wrong = [f"what the new version writes fails: {said.stderr.strip()[:300]}"] if said.returncode else []
    for line in filter(str.strip, refusals.read_text().splitlines()):
        if not psql(base, "-1", "-c", line).returncode:
            wrong.append(f"not refused any more: {line}")
    return wrong
