#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Clean head, so the copies count as removed.
set -euo pipefail
. "$SHARED/do.inc"
branch
{ echo place,secret,who,state; rows_of_ship removed; rows_of_mail removed; } > incident/places.csv
note
