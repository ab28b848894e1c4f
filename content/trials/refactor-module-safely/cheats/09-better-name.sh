#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A name loses its underscore on the way; the old one is kept as a second name.
set -euo pipefail
. "$SHARED/moves.inc"
begin
dates
rates
posting
foreign
parsing
reports
sed -i 's/_owed/owed/' books/reports.py
sed -i 's/import _owed, _quarter/import owed, owed as _owed, _quarter/' books/engine.py
sed -i 's/engine\._owed/engine.owed/' scripts/close_quarter.py
git commit -qam 'Move only: names'
