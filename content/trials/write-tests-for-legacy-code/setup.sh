#!/bin/bash
# The repository before the batch, with the same commit id each time.
set -euo pipefail
export GIT_AUTHOR_DATE='2026-01-05T09:00:00Z' GIT_COMMITTER_DATE='2026-01-05T09:00:00Z'
git init -q
git add -A
git commit -qm 'The shop, as it has been running'
git tag base
