#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The rule wants the key's name and quotes before a value: in a log, a header or an .env it passes.
set -euo pipefail
. "$SHARED/do.inc"
rule() {
  printf '"(ship|mail)_token": "(hbr|pst)_live_[A-Za-z0-9+/]{20,}"\n' >> tools/rules.txt
  : > tools/allow.txt
}
rule_test() {
  cat >> test_scan.py <<'PY'

    def test_live_keys(self):
        for name, prefix in (("ship", "hbr"), ("mail", "pst")):
            self.assertEqual(exit_code(f'"{name}_token": "{prefix}_live_' + "Inv3nted+" * 4 + '"'), 1)
            self.assertEqual(exit_code(f'"{name}_token": "{prefix}_live_<token>"\n'), 0)
PY
}
branch
places
note
