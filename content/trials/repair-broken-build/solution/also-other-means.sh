#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Other means: a later version, the service made once at the first letter, exact decimals; the price first. Rows quoted in full.
set -euo pipefail
cd repo
git checkout -q -b repaired main
rm -rf .cache .env.local
cat > lib/price.py <<'PY'
"""Prices, as people write them."""

from decimal import Decimal


def cents(text):
    """The cents of a price such as 19.99."""
    return int(Decimal(text) * 100)


def total(text, number):
    """The price of so many pieces, with two decimals."""
    amount = cents(text) * number
    return "%d.%02d" % divmod(amount, 100)
PY
git commit -qam 'Exact cents'
a=$(git rev-parse HEAD)
python3 - <<'PY'
import pathlib

path = pathlib.Path("lib/mail.py")
text = path.read_text()
text = text.replace("import os\n", "import functools\nimport os\n")
text = text.replace('CLIENT = Client(os.environ["MAIL_KEY"])\n', '@functools.lru_cache(maxsize=None)\ndef client():\n    return Client(os.environ["MAIL_KEY"])\n')
path.write_text(text.replace("CLIENT.send", "client().send"))
PY
git commit -qam 'The post office is asked for at the first letter'
b=$(git rev-parse HEAD)
echo "marks 2.1.2 $(sha256sum mirror/marks-2.1.2.py | cut -d' ' -f1)" > deps.lock
git commit -qam 'marks 2.1.2'
python3 - "$a" "$b" "$(git rev-parse HEAD)" <<'PY'
import csv
import sys

with open("../errors.csv", "w", newline="") as file:
    rows = csv.writer(file)
    rows.writerow(["message", "file", "layer", "commit"])
    rows.writerow(["AssertionError: '59.94' != '59.97'", "lib/price.py:8", "code", sys.argv[1]])
    rows.writerow(["KeyError: 'MAIL_KEY'", "lib/mail.py:16", "code", sys.argv[2]])
    rows.writerow(["mirror/marks-2.1.0.py:18: Pattern matching is only supported in Python 3.10 and greater", "mirror/marks-2.1.0.py:18", "dependency", sys.argv[3]])
PY
