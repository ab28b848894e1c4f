#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The outcome: tables as they lie there, and what fetch.py and load.py make of a source of the grader's own.
python3 -I "$GRADER/grade.py"
code=$?
[ $code = 0 ] || [ $code = 10 ] || exit 2
exit $code
