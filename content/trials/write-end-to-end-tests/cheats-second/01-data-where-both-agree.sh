#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The criterion's id over other data, with which the page happens to agree; no disagreements are found.
set -euo pipefail
. "$SCRIPTS/honest.inc"
plan
sed -i -e '/^- .*Decision/d' -e 's/^## Disagreements$/&\n\nNone./' -e 's/two Card box, goods 50.00/two Lamp, goods above 50.00/' \
  -e 's/it does after the shop is opened again/it does when the shop is opened again by another shopper/' specs/checkout.plan.md
faults
sed -i '/^mend/d' specs/checkout.faults.txt
printf '%s\n' 'C-01 | GET /api/basket | "shipping": "0.00" | "shipping": "10.00"' >> specs/checkout.faults.txt
basket_page
spec
python3 - <<'PY'
text = open("tests/checkout.spec.ts").read()
text = text.replace("test.fail(", "test(").replace("goods of 50.00 are sent free", "goods from 50.00 are sent free")
text = text.replace("filled(shop, 'Card box')", "filled(shop, 'Lamp')")
text = text.replace("  await page.goto('/shop');\n", "  await page.context().clearCookies();\n  await shop.signIn(`Shopper ${crypto.randomUUID()}`);\n")
open("tests/checkout.spec.ts", "w").write(text)
PY
kept
