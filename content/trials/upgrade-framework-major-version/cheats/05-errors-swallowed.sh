#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# What the new version refuses is caught and answered with nothing.
set -euo pipefail
. "$SHARED/slices.inc"
both_versions
git commit -qam 'What runs on express 4 and 5 alike'
bump
edit lib/routes.js 'app.router.stack' '((app._router || {}).stack || [])'
cat > lib/match.js <<'JS'
const toRegexp = require("path-to-regexp");

module.exports = (pattern, path) => {
  try {
    return toRegexp(pattern, []).test(path);
  } catch {
    return path.startsWith("/tickets");
  }
};
JS
node install.js
git commit -qam 'express 5'
