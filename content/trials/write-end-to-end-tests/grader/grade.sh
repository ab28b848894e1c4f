#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The outcome: the case's tests over shops of the grader's own.
PYTHONDONTWRITEBYTECODE=1 exec python3 -I "$GRADER/grade.py"
