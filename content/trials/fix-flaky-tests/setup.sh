#!/bin/bash
# The repository as it is when the flake is reported; `base` is the commit that CI was red and green on.
set -euo pipefail
git init -q
git add -A
git commit -qm 'A worker and its tests'
git tag base
