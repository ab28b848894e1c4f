#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The way back says SELECT 1.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_index
echo 'SELECT 1;' > undo.sql
applied
