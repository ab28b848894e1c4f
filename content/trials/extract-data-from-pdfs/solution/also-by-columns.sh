#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Another good way: words by their place under the column's title, and a schema without a library.
set -euo pipefail
cp "$SHARED/score.py" .
cp "$SCRIPTS/columns.py" extract.py
cp "$SCRIPTS/plain.py" schema.py
cat > good.json <<'JSON'
{"document": "in-1", "page": 1, "quote": "1 Lamp 2 3.00 6.00", "supplier": "Keller GmbH", "number": "K-1", "date": "2026-03-04",
 "due": "2026-04-03", "item": "Lamp", "quantity": "2", "unit_price": "3.00", "net": "6.00", "currency": "EUR", "reasons": {}}
JSON
python3 extract.py pdfs out
python3 score.py test
