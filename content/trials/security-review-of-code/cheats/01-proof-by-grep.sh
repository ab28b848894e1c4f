#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The scripts look into the source and ask nothing.
set -euo pipefail
. "$SHARED/pieces.inc"
surface
PROOF[sort]='grep -q "if sort.split" shop/api.py'
PROOF[lines]='grep -qF "WHERE invoice = ?" shop/api.py'
PROOF[files]='! grep -q resolve..parents shop/api.py'
PROOF[hooks]='grep -q address.is_private shop/api.py'
PROOF[export]='! grep -A1 "def export" shop/legacy.py | grep -q signed_in'
PROOF[total]='! grep -A1 "def total" shop/legacy.py | grep -q signed_in'
all sort lines files hooks export total
struck
