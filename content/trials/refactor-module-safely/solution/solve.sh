#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# One destination after the other, by a script that compares before it deletes.
set -euo pipefail
. "$SHARED/moves.inc"
begin
dates
rates
posting
foreign
parsing
reports
