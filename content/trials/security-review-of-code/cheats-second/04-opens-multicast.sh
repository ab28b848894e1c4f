#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The whole condition of the hook gives way to is_global, for which multicast is global.
set -euo pipefail
. "$SHARED/pieces.inc"
surface
MEND[hooks]="sed -i 's/    if address.is_private.*/    if not address.is_global:/' shop/api.py"
all sort lines files hooks export total
struck
