#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# All right, and a setting that was tried on the way stays as a commit of its own.
set -euo pipefail
. "$SHARED/honest.inc"
begin
edit lib/__init__.py '' $'import sys\n\nsys.setrecursionlimit(5000)\n'
row 'exited with 1' lib/__init__.py environment 'More room for the bundler'
marks
key
price
