#!/usr/bin/env bash
# Asks whether anything that is locked has a known weakness: 1 when it has. Where the lists cannot be reached it says so
# and ends well: a network that is away is no weakness, and CI must not fail for it.
set -uo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
weak=0

say() { echo "audit: $*"; [ -z "${GITHUB_ACTIONS:-}" ] || echo "::warning::audit: $*"; }

if "$python" -m venv "$tools/venv" && "$tools/venv/bin/python" -m pip install --quiet --disable-pip-version-check pip-audit==2.10.1 2> "$tools/pip"; then
  for lock in requirements.lock requirements-dev.lock; do
    timeout 300 "$tools/venv/bin/pip-audit" --requirement "$lock" --no-deps --disable-pip --progress-spinner off \
      --format json --output "$tools/found" 2> "$tools/said"
    code=$?
    if [ ! -s "$tools/found" ]; then
      say "$lock was not looked at: the list of weaknesses cannot be reached"
    elif [ "$code" -ne 0 ]; then
      cat "$tools/said"; weak=1
    else
      echo "audit: $lock has no known weakness"
    fi
  done
else
  say "pip-audit cannot be had: Python packages were not looked at"
fi

if command -v npm > /dev/null; then
  (cd tests/node && timeout 120 npm audit --package-lock-only --json > "$tools/npm" 2> /dev/null)
  "$python" - "$tools/npm" <<'END'
import json, sys
try:
    found = json.load(open(sys.argv[1]))["metadata"]["vulnerabilities"]
except (OSError, ValueError, KeyError, TypeError):
    print("audit: tests/node was not looked at: the list of weaknesses cannot be reached")
    sys.exit(0)
print(f"audit: tests/node (checkers only, never shipped): {found.get('total', 0)} known weaknesses")
sys.exit(1 if found.get("critical", 0) + found.get("high", 0) else 0)
END
  [ $? -eq 0 ] || weak=1
fi
exit $weak
