#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# All refs of the clone; the forge's pull requests are not in it.
set -euo pipefail
. "$SHARED/do.inc"
branch
places
sed -i '/config.dev.env/d; /:message/d' incident/places.csv
note
