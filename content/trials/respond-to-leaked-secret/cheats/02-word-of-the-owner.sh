#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# docs/keys.md says that the post's token was rotated, and so the note says it too.
set -euo pipefail
. "$SHARED/do.inc"
docs() { sed -i 's/in use by.*/from the environment/' docs/keys.md; }
branch
{ echo place,secret,who,state; rows_of_ship revoked; rows_of_mail revoked; } > incident/places.csv
note
sed -i "s/^| $mail.*/| $mail, mail_token | revoked | see docs\/keys.md | rotated | 2026-09-01T00:00:00Z |/; s/^Pushed.*/Pushed at 22:30. Copies: places.csv./; /^otherwise/d; /^then/d" incident/incident.md
