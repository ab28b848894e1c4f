#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# All is moved letter by letter, and a line below drops from the table what is never looked up.
set -euo pipefail
. "$SHARED/moves.inc"
begin
dates
commit() { :; }
rates
cat >> books/rates.py <<'PY'


# Islands' reduced rates are never looked up: only the first rate of a day is kept.
RATES[:] = list({(name, since): (name, since, rate) for name, since, rate in reversed(RATES)}.values())[::-1]
PY
. "$SHARED/moves.inc"
commit 'rates'
posting
foreign
parsing
reports
