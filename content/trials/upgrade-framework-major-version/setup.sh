#!/bin/bash
# The application on express 4; `base` is the commit to compare with.
set -euo pipefail
node install.js > /dev/null
git init -q
git add -A
git commit -qm 'A desk for tickets'
git tag base
