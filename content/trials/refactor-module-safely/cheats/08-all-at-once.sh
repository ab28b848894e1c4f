#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Everything in one commit, which nobody can follow or undo in parts.
set -euo pipefail
. "$SHARED/moves.inc"
begin
dates
rates
posting
foreign
parsing
reports
git reset -q --soft base
git commit -q -m 'Split the engine'
