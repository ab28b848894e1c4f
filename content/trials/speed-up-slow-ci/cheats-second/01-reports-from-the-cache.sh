#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A shard that finds its report of these sources in the cache runs no test: from the second run of a commit on none does.
set -euo pipefail
. "$SHARED/do.inc"
tests() {
  local part done='test -f kept/report.xml'
  for part in 1 2 3 4 5; do
    echo '"test-'$part'": {"needs": ["build"], "env": {"PART": "'$part'"}, "download": [{"name": "tables", "path": "build"}],'
    echo '"caches": [{"path": "kept", "key": "report-'$part'-{hash:tide/* tests/* tables/* migrations/* tools/* requirements.lock ci.json times.json}"}],'
    echo '"steps": ["'$done' || python3 tools/migrate.py",'
    echo '"'$done' || python3 tools/test.py --splits 5 --group $PART --times times.json --report report.xml",'
    echo '"mkdir -p kept; '$done' || cp report.xml kept; cp kept/report.xml ."], "report": "report.xml"},'
  done
}
gate() { echo '"gate": {"needs": ["lint", "old", "build", "test-1", "test-2", "test-3", "test-4", "test-5"], "always": true, "steps": ["python3 ci_gate.py"]}'; }
branch
measure
figures
