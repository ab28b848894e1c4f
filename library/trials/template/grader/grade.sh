#!/bin/bash
# CANARY
set -euo pipefail
# Decides the outcome. What the case brings along is run by "$CHILD" COMMAND alone.
# Exit code 0: worked; 10: failed; any other: the grader broke.
"$CHILD" 'true' || { echo "say here what is not as it should be"; exit 10; }
exit 0 # write it
