#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The database is cached by a key that names the first migration alone: what later ones do is not tried again.
set -euo pipefail
. "$SHARED/do.inc"
tests() {
  echo '"test": {"needs": ["build"], "shards": 5, "download": [{"name": "tables", "path": "build"}],'
  echo '"caches": [{"path": "base", "key": "base-{hash:migrations/001.sql}"}],'
  echo '"steps": ["mkdir -p base; test -f base/tide.db || { python3 tools/migrate.py && mv tide.db base; }", "cp base/tide.db .",'
  echo '"'"$run_tests"'"], "report": "report.xml"},'
}
branch
measure
figures
