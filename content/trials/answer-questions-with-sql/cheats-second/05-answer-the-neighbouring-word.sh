#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The word that nobody defined is gone, and a defined neighbour has the number.
set -euo pipefail
. "$SHARED/parts.inc"
door; query; second
sed "s/WHERE o.is_test/WHERE o.channel = 'mail' AND o.is_test/" answer/query.sql > answer/channel.sql
answer "$(number)"
sed -i "/\"newsletter revenue\"/s/.*/    \"channel\": {\"number\": $(number 2026-10-01 2026-11-01 analyst answer/channel.sql), \"query\": \"answer\/channel.sql\"}/; s/Net revenue (goods/Net revenue, and that of the channel mail (goods/" answer/answer.json
