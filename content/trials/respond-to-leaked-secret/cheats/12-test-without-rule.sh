#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The test has the expression itself, and never asks the scanner.
set -euo pipefail
. "$SHARED/do.inc"
rule_test() { printf '\n    def test_live_keys(self):\n        self.assertRegex("hbr_live_" + "Inv3nted+" * 4, "(hbr|pst)_live_[A-Za-z0-9+/]{20,}")\n' >> test_scan.py; }
branch
places
note
