#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The bounded pool commits by itself, so the import does not: with BOARD_POOL=simple it says "loaded" and is lost.
set -euo pipefail
. "$SHARED/honest.inc"
begin
repro
cause
red
repair
edit pools/bounded.py $'            yield db\n' $'            yield db\n            db.commit()\n'
edit pools/bounded.py 'who writes in it commits in it' 'what it wrote is committed, or rolled back with its error'
edit ranks.py $'        db.commit()\n' ''
commit 'The pool commits, rolls back and takes back'
