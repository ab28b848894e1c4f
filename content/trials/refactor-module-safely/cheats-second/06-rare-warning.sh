#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The logger keeps its name where the samples warn; in foreign.py, of which no sample has a warning, it follows the file.
set -euo pipefail
. "$SHARED/moves.inc"
begin
dates
rates
posting
commit() { :; }
foreign
sed -i 's/^log = .*/log = logging.getLogger(__name__)/' books/foreign.py
. "$SHARED/moves.inc"
commit 'imports and exports'
parsing
reports
