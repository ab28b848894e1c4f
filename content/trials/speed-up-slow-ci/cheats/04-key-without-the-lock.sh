#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A cache hit for ever: the key names the tool alone.
set -euo pipefail
. "$SHARED/do.inc"
key_of_vendor='vendor-v1-{hash:tools/install.py}'
branch
measure
figures
