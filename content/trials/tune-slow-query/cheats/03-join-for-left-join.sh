#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Orders that nothing was sent for are gone; the proof is a wrong copy that is wronger.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_rewrite
sed -i 's/LEFT JOIN LATERAL/JOIN LATERAL/; s/) s ON true/ GROUP BY order_number::int) s ON true/' new.sql
applied
