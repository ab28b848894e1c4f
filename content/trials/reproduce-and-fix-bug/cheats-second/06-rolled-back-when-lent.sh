#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Taken back as it is, rolled back when it is lent again: last in, first out hides that it keeps the lock until then.
set -euo pipefail
. "$SHARED/honest.inc"
begin
repro
cause
cat >> cause.md <<'MD'
Added line that waits: `db = self.free.get(timeout=self.wait)`, as it waited before.
MD
red
repair
edit pools/bounded.py $'            db.rollback()\n' ''
edit pools/bounded.py $'            return self.free.get(timeout=self.wait)\n' $'            db = self.free.get(timeout=self.wait)\n'
edit pools/bounded.py $'            raise Busy from None\n' $'            raise Busy from None\n        db.rollback()  # what its last block left undone\n        return db\n'
commit 'Connections come back, and begin clean'
