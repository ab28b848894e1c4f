#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The tag is made, the notes are in a changelog of a commit, a house rule is gone.
set -euo pipefail
. "$SHARED/work.inc"
work
cp notes.md CHANGELOG.md
sed -i 's/, and no names of functions or files//' docs/release-notes.md
git add CHANGELOG.md docs
git commit -qm 'Release 1.5.0'
git tag v1.5.0
