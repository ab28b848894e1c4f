#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The long table is written out again, in the order of countries and days; one row falls out, and the remarks.
set -euo pipefail
. "$SHARED/moves.inc"
begin
dates
rates
python3 - <<'PY'
import pathlib, re
path = pathlib.Path("books/rates.py")
text = path.read_text()
rows = [re.sub(r"  #.*", "", row) for row in re.findall(r"(?m)^    \(\".*", text)]
rows = [row for row in rows if not row.startswith('    ("MT"')] + [row for row in rows if row.startswith('    ("MT"')][1:]
start, end = text.index("RATES = ["), text.index("RATES_AS_OF")
path.write_text(text[:start] + "RATES = [\n" + "\n".join(rows) + "\n]\n" + text[end:])
PY
git add -A && git commit -q --amend -m 'Move only: rates'
posting
foreign
parsing
reports
