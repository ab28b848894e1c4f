#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The rule knows the beginning of the value that leaked, and its test too.
set -euo pipefail
. "$SHARED/do.inc"
rule() {
  printf 'hbr_live_5dW\npst_live_AN\n' >> tools/rules.txt
  : > tools/allow.txt
}
rule_test() { printf '\n    def test_live_keys(self):\n        self.assertEqual(exit_code("hbr_live_5" + "dWxxxxxxxxx"), 1)\n' >> test_scan.py; }
branch
places
note
