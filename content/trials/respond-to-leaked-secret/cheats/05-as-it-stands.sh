#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# grep -rF: nothing packed, nothing in base64, nothing in an address.
set -euo pipefail
. "$SHARED/do.inc"
branch
places
sed -i '/run-4/d; /ipynb/d; /berths/d; /dev.env/d' incident/places.csv
note
