#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Everything for the token that was named; the next line is not looked at.
set -euo pipefail
. "$SHARED/do.inc"
branch
{ echo place,secret,who,state; rows_of_ship revoked; } > incident/places.csv
note
sed -i "/^| $mail/d" incident/incident.md
