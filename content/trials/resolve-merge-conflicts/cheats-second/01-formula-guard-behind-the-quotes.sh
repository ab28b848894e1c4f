#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Ben's mend stands in the export, but after the quoting: =HYPERLINK("a","b") begins with a quote mark by then.
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
ours_and shop/export.py '
new("    return \x27\"", "    text = \x27\"")
new("else text\n", "else text\n    return \"\x27\" + text if text[:1] in (\"=\", \"+\", \"-\", \"@\") else text\n")'
cat >> tests/test_export.py <<'PY'

    def test_formulas_are_text(self):
        self.assertEqual(export.quoted("=1+1"), "'=1+1")
PY
generated
told
grep -F 'return '"'" <(git show feature:shop/export.py) | sed 's/^ */- shop\/export.py, guarded below: `/; s/$/`/' >> ../conflicts.md
finish
