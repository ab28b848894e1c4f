#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The query is right; the number is that of 30 days, with their last one as the day after.
set -euo pipefail
. "$SHARED/parts.inc"
door; query; second
answer "$(number 2026-10-01 2026-10-31)"
sed -i 's/^{$/{\n  "from": "2026-10-01", "to": "2026-10-31",/; s/of 2026-10-01 to 2026-10-31, Europe/of last month, Europe/' answer/answer.json
