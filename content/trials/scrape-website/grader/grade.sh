#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The outcome: the tables and pages against what the site holds; then the scripts on a site with other flats.
PYTHONDONTWRITEBYTECODE=1 python3 "$GRADER/grade.py"
code=$?
[ $code = 0 ] || [ $code = 10 ] || exit 2
exit $code
