#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The test fails on the base because it imports what is not there.
set -euo pipefail
. "$SHARED/honest.inc"
git checkout -q -b issue-17
cat > tests/test_issue_17.py <<'PY'
def test_amounts_are_normalised():
    from ledger.money import normalised

    assert normalised("10") == "10"
PY
git add tests
git commit -qm 'Test first: 1 failed'
printf '\n\ndef normalised(text):\n    """The text of an amount."""\n    return text\n' >> ledger/money.py
git commit -qam 'Normalise amounts'
told
