#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The outcome: the workflows on the old job's events and some more, run here; the case's scripts run in the child alone.
failed() { echo "$1"; exit 10; }
tail -n +2 "$GRADER/files.sha256" | sha256sum --quiet -c - > /tmp/changed 2>&1 || failed "changed: $(head -n 3 /tmp/changed)"
PYTHONDONTWRITEBYTECODE=1 exec python3 -I "$GRADER/grade.py"
