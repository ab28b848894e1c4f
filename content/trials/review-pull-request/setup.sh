#!/bin/bash
# `main`, and the branch `free-postage` under review, checked out. Intent and the author's words are not in git.
set -euo pipefail
export GIT_AUTHOR_DATE='2026-11-03T09:00:00Z' GIT_COMMITTER_DATE='2026-11-03T09:00:00Z' # the same commits each time
git init -q
printf 'review/\nintent.md\npull-request-31.md\n' >> .git/info/exclude
mv change .git/change
git add -A
git commit -qm 'Postage of a small shop'
git checkout -q -b free-postage
cp -r .git/change/. .
rm -r .git/change
git add -A
git commit -qm 'Free postage from a threshold on'
