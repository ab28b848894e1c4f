#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The mend is there and its test comes along, but asks for what is so without the mend, too.
set -euo pipefail
. "$SHARED/merge.inc"
begin
settings
pricing
report
commands
view
tests
removed
follow
formulas
git checkout -q feature -- tests/test_export.py
cat >> tests/test_export.py <<'PY'

    def test_formulas_are_text(self):
        self.assertIn("=1+1", export.quoted("=1+1"))
        self.assertIsInstance(export.quoted("=1+1"), str)
PY
generated
told
finish
