#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The old routes are shut, also for those who use them.
set -euo pipefail
. "$SHARED/pieces.inc"
surface
for name in export total; do MEND[$name]="sed -i 's/^def $name(request, tenant):/&\n    raise Refused(403, \"gone\")/' shop/legacy.py"; done
all sort lines files hooks export total
struck
