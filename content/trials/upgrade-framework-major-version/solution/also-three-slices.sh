#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Another good way: two routes in place of an optional part, no library for the guests' pattern, three slices.
set -euo pipefail
. "$SHARED/slices.inc"
cat > lib/match.js <<'JS'
// Whether a path is one that guests may see.
module.exports = (pattern, path) =>
  new RegExp(`^${pattern.replace(/\/:\w+\?/g, "(?:/([^/]+?))?").replace(/:\w+/g, "([^/]+?)")}/?$`, "i").test(path);
JS
node --test test/ > /dev/null
git commit -qam 'No use of a library that only express brings'
both_versions
node --test test/ > /dev/null
git commit -qam 'What runs on express 4 and 5 alike'
edit package.json '^4.21.2' '^5'
edit package.json '>=16' '>=18.0.0'
sed -i 's/node:16/node:22-slim/' Dockerfile
echo v22 > .nvmrc
edit app.js '"/tickets/:id.:format?"' '["/tickets/:id.:format", "/tickets/:id"]'
edit app.js '"/files/*"' '"/files/{*rest}"'
edit app.js 'req.params[0]' '(req.params.rest || []).join("/")'
edit jobs/sitemap.js 'app._router.stack' 'app.router.stack'
edit lib/routes.js '((app._router || {}).stack || [])' 'app.router.stack'
node install.js
node --test test/ > /dev/null
git commit -qam 'express 5'
