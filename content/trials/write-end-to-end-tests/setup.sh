#!/bin/bash
# The repository before the tests: the same commit each time.
set -euo pipefail
export GIT_AUTHOR_DATE='2026-02-02T09:00:00Z' GIT_COMMITTER_DATE='2026-02-02T09:00:00Z'
ln -s "$TOOLS/node_modules" node_modules
echo '{"name": "leaf-and-lamp", "private": true}' > package.json
git init -q
git add -A
git commit -qm 'The shop, its criteria, and the first tests'
git tag base
# What the tester wrote and showed to nobody.
cat > .git/held-back <<'TXT'
mend C-01 | GET /api/basket | ("goods": "50.00", "shipping": )"4.90" | \1"0.00"
mend C-06 | GET /api/basket after POST /api/orders | "lines": \[.*\] | "lines": []
C-02 | DELETE /api/voucher | "total" | "discount": "-8.00", "total"
C-02 | GET /shop.js | 'Total', said.total | 'Total', ''
C-03 | GET /shop.js | : tell\('vbad', said.error\) | : (tell('vbad', said.error), main.querySelector('#sums tr:last-child td').textContent = '180.00')
and | GET /api/basket after POST /api/voucher | "total": "80.00" | "total": "180.00"
C-02 | first POST /api/voucher | .* | {"error": "Busy", "lines": []}
C-04 | GET /api/orders | \[\] | [{"number": "A-9", "total": "29.90", "status": "confirmed"}]
C-05 | GET /api/orders | ^\[(\{.*\})\]$ | [\1, \1]
C-06 | GET /shop.js | count\(0\); | count(2);
TXT
