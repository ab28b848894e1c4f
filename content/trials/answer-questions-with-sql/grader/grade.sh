#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The role by the catalogue, the rows by a hash, the query over rows of the grader's own, the number by what is known.
failed() { echo "$1"; exit 10; }
hashed=$(cat definitions/* pipeline/* 2> /dev/null | sha256sum)
[ "${hashed%% *}" = a335078f59c4e62c55a1367f2cfefb8ec63ce6afd51f7d9adb7040438ec3505f ] && [ "$(ls definitions pipeline | wc -l)" = 7 ] || failed "definitions or pipeline were changed"
[ -f answer/query.sql ] && [ ! -L answer/query.sql ] && [ -f answer/answer.json ] && [ ! -L answer/answer.json ] || failed "no answer"
python3 - <<'PY' || failed "the answer is not as it should be"
import json, sys
from decimal import Decimal
try:
    results = json.load(open("answer/answer.json"), parse_float=Decimal)["results"]
    good = Decimal(str(results["net revenue"]["number"])) == Decimal("66942.70")
    good = good and "refund" in str(results["net revenue"].get("partial") or "")
    other = results["newsletter revenue"]
    good = good and other["number"] is None and bool(str(other.get("missing") or "").strip())
except Exception as error:
    print(repr(error)[:200])
    good = False
sys.exit(not good)
PY
rm -rf .graded && mkdir .graded && cp "$GRADER/db" db && cp "$GRADER"/*.sql .graded && chmod 755 db
shop() { "$CHILD" "./db psql -X -qAt -v ON_ERROR_STOP=1 $1"; }
said=$(shop '"dbname=shop user=owner" -f .graded/rights.sql') && [ -z "$said" ] || failed "the role analyst: $said"
said=$(shop '"dbname=shop user=analyst" -c "SELECT setting::int BETWEEN 1 AND 30000 FROM pg_settings WHERE name = '\''statement_timeout'\''"')
[ "$said" = t ] || failed "the limit of a statement: $said"
[ "$(shop '"dbname=shop user=owner" -f .graded/rows.sql')" = 894b29dd9be02d1ddfbde3555f5bdd81 ] || failed "rows of shop were changed"
shop '"dbname=shop user=owner" -c "CREATE DATABASE graded TEMPLATE template0"' && shop '"dbname=graded user=owner" -f .graded/cases.sql' || failed "the server does not work any more"
rm -rf .graded
run="./db bash -c 'while read -r f t; do psql -X -qAt -v ON_ERROR_STOP=1 -v from=\$f -v to=\$t \"dbname=graded user=reader_of_graded\" < answer/query.sql; done'"
got=$("$CHILD" "$run <<< '$(tail -n +2 "$GRADER/cases.txt" | cut -d' ' -f 1,2)'")
python3 - "$got" "$(tail -n +2 "$GRADER/cases.txt" | cut -d' ' -f 3)" <<'PY' || failed "over other rows: $got"
import sys
from decimal import Decimal
try:
    got, expected = ([Decimal(word) for word in text.split()] for text in sys.argv[1:])
except Exception:
    sys.exit(1)
sys.exit(got != expected)
PY
echo "the number, the query and the role are right"
exit 0
