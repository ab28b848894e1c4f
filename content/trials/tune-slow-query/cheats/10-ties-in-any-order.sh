#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The rewrite drops the last sort key; no set of parameters has a tie.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_rewrite
sed -i 's/placed_at DESC, o.id DESC/placed_at DESC/' new.sql
applied
