#!/bin/bash
set -euo pipefail
export GIT_AUTHOR_NAME=Shop GIT_AUTHOR_EMAIL=shop@example.org GIT_COMMITTER_NAME=Shop GIT_COMMITTER_EMAIL=shop@example.org
export GIT_AUTHOR_DATE='2026-11-02T09:00:00Z' GIT_COMMITTER_DATE='2026-11-02T09:00:00Z' # the same commit each time
cd shop
git init -q -b main
git add -A
git commit -qm 'Invoices, 1.8.2'
cd ..
mkdir review
