#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The build is cached by the ports' tables and the lock; the edition is not in the key.
set -euo pipefail
. "$SHARED/do.inc"
build() { echo '"build": {"caches": [{"path": "vendor", "key": "'"$key_of_vendor"'"}, {"path": "build", "key": "build-{hash:requirements.lock tools/build.py tables/aberon.txt tables/brinna.txt}"}], "steps": ["python3 tools/install.py", "python3 tools/build.py"], "upload": [{"name": "tables", "path": "build"}]},'; }
branch
measure
figures
