#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# One new default is neither restored nor listed: queries are simple.
set -euo pipefail
. "$SHARED/slices.inc"
both_versions
edit app.js '
app.set("query parser", "extended");' ''
git commit -qam 'What runs on express 4 and 5 alike'
bump
node install.js
printf '# UPGRADE\n\n- urlencoded: extended kept\n- redirect back: accepted: maintainer\n\nNo other difference.\n' > UPGRADE.md
git add -A
git commit -qm 'express 5'
