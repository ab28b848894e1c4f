#!/bin/bash
# The repository as it is when the issue is handed over. The issue and the text of the pull request are not in git.
set -euo pipefail
export GIT_AUTHOR_DATE='2026-11-02T09:00:00Z' GIT_COMMITTER_DATE='2026-11-02T09:00:00Z' # the same commit each time
git init -q
printf 'issue-17.md\npull-request.md\n' >> .git/info/exclude
git add -A
git commit -qm 'A ledger of shared bills'
git tag base
