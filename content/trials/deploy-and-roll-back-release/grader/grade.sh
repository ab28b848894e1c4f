#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The database and the log are read here; the host and back.sh of the case run in children.
exec python3 -I "$GRADER/grade.py"
