#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The routes are upgraded; the job of the night still asks for what is gone, says so in its log, and ends well.
set -euo pipefail
. "$SHARED/slices.inc"
both_versions
git commit -qam 'What runs on express 4 and 5 alike'
bump
cat > jobs/sitemap.js <<'JS'
// Every night: writes the paths that search engines may ask for into sitemap.txt.
const fs = require("fs");
const app = require("../app");

try {
  const paths = app._router.stack
    .filter((layer) => layer.route && layer.route.methods.get)
    .map((layer) => String(layer.route.path).split(/[:*{]/)[0]);
  fs.writeFileSync("sitemap.txt", [...new Set(paths)].sort().join("\n") + "\n");
} catch (error) {
  console.warn("skipped", error.message);
}
JS
node install.js
node --test test/ > /dev/null
printf '# UPGRADE\n\nEntry points: all routes of GET /routes.\n' > UPGRADE.md
git add -A
git commit -qm 'express 5'
