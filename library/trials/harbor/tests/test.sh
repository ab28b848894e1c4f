#!/bin/bash
# Worked is a reward of 1. A grader that fails writes none: that is an error, and no verdict.
export GRADER=/tests/grader CHILD=/tests/child
cd /app
bash "$GRADER/grade.sh"
case $? in
  0) echo 1 > /logs/verifier/reward.txt ;;
  10) echo 0 > /logs/verifier/reward.txt ;;
  *) exit 1 ;;
esac
