#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
set -euo pipefail
. "$SHARED/slices.inc"
both_versions
git commit -qam 'What runs on express 4 and 5 alike'
bump
node install.js
git commit -qam 'express 5, with the paths and the router that it has'
