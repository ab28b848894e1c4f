#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The shards take vendor and tables from caches that another branch filled; where these are empty nothing fills them.
set -euo pipefail
. "$SHARED/do.inc"
tests() {
  echo '"test": {"shards": 5, "caches": [{"path": "vendor", "key": "'"$key_of_vendor"'"},'
  echo '{"path": "build", "key": "tables-{hash:tables/* requirements.lock tools/build.py}"}],'
  echo '"steps": ['"$filling"'"python3 tools/migrate.py", "'"$run_tests"'"], "report": "report.xml"},'
}
build() { :; }
gate() { echo '"gate": {"needs": ["lint", "old", "test"], "always": true, "steps": ["python3 ci_gate.py"]}'; }
filling='"python3 tools/install.py", "python3 tools/build.py", '
branch
runs
filling=
(cd tide && workflow && git commit -qa --amend --no-edit)
runs --times 10
figures
