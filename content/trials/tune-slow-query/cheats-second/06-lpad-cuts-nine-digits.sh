#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Both ways of writing a number, over the index that is there; ids of nine digits are cut to eight and meet another order.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_rewrite
sed -i 's/greatest(8, length(o.id::text))/8/' new.sql
applied
