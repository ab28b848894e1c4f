#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# One commit with everything, modules renamed on the way; neat slices in a file.
set -euo pipefail
. "$SHARED/slices.inc"
both_versions
bump
git mv lib/tickets.js lib/store.js
git mv lib/match.js lib/guests.js
sed -i 's|./lib/tickets|./lib/store|; s|./lib/match|./lib/guests|' app.js
node install.js
printf '# UPGRADE\n\n1. warnings: 8 collected, 8 passed\n2. paths: 8 collected, 8 passed\n3. bump: 8 collected, 8 passed\n' > UPGRADE.md
git add -A
git commit -qm 'express 5'
