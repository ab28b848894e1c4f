#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The index is built the plain way: on the quiet copy it took a moment.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_index
sed -i '2s/ CONCURRENTLY/ \/* CONCURRENTLY: not needed, 0.1 s *\//' migration.sql
sed -i "1i SET lock_timeout = '2s';" migration.sql
applied
