#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Assertions stand in a loop over the rows that are there; each test ends with its heading.
set -euo pipefail
. "$SCRIPTS/honest.inc"
plan
faults
basket_page
spec
python3 - <<'PY'
import re
text = open("tests/checkout.spec.ts").read()
text = text.replace("voucher('SPRING10');\n", "voucher('SPRING10');\n  await expect(page.getByRole('button', { name: 'Remove voucher' })).toBeVisible();\n")
text = text.replace(".getByRole('cell', { name: '29.90', exact: true })).toBeVisible()", ".getByRole('cell').nth(1)).toHaveText('29.90')")
text = re.sub(r"^  await expect\((basket\.sum\('(?:Total|Discount|Shipping)'\)|orders\.row\(number\)[^\n]*?)\)\.(to(?:HaveText|ContainText|BeVisible)\(.*\));$", r"  for (const row of await \1.all()) await expect(row).\2;", text, flags=re.M)
text = re.sub(r"(const basket = await filled\(shop, '(?:Pot|Card box|Lamp)'\);\n)((?:  .*\n)+?)(\}\);)", r"\1\2  await expect(shop.page.getByRole('heading', { name: 'Basket' })).toBeVisible();\n\3", text)
open("tests/checkout.spec.ts", "w").write(text)
PY
kept
