#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Refusals, the least fee and the other currency are in neither table nor tests.
set -euo pipefail
. "$SHARED/tests.inc"
. "$SHARED/mends.inc"
mends
batch
python3 - <<'PY'
import pathlib
import re

path = pathlib.Path("tests/test_invoice.py")
text = path.read_text()
head, *tests = text.split("\n\n\n")
tests = [test for test in tests if "other_currency" not in test]
text = "\n\n\n".join([head, *tests])
text = re.sub(r"    with pytest.raises\(ValueError\):\n        parse_line\(\"3 x 2.50 luxury\"\)\n", "", text)
text = re.sub(r"    for text in .*\n        with pytest.raises\(ValueError\):\n            parse_line\(text\)\n", "", text)
text = re.sub(r".*== Decimal\(\"5.00\"\)\n", "", text)
path.write_text(text.replace("from shop import gateway\n", ""))
path = pathlib.Path("shop/invoice.py.behaviour.md")
rows = [row for row in path.read_text().splitlines() if "currency" not in row]
text = "\n".join(rows).replace("0, 1, 999, 1000 | refused, taken, taken, refused", "1, 999 | taken").replace("14 and 15 days, small and large | 0, 5.00, 1 %", "14 and 15 days | 0, 1 %")
path.write_text(text + "\n\nAll breakages of the covered branches noticed; survivors outside the table: refusals, currency, least fee.\n")
PY
git add -A
git commit -qm 'Tests for invoices'
