#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Tests and saved requests say what the new version does.
set -euo pipefail
. "$SHARED/slices.inc"
both_versions
edit app.js 'app.set("query parser", "extended");' ''
edit app.js 'res.status(400).json({' 'res.status(422).json({'
sed -i 's/answer.status, 400/answer.status, 422/' test/app.test.js
git commit -qam 'What runs on express 4 and 5 alike'
bump
sed -i '/98/d' requests.jsonl
node install.js
git commit -qam 'express 5; test changes: API changes only'
