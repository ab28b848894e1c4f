#!/bin/bash
set -euo pipefail
# Makes the world: runs in a copy of world/, before anything else. A repository is made here.
git init -q && git add -A && git commit -qm 'Before' && git tag base
