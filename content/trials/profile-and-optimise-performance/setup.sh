#!/bin/bash
# The repository with the journal of the evening that hurt; `base` is the commit to compare with.
set -euo pipefail
mkdir data
python3 tools/make_journal.py evening 10000 > data/evening.txt
git init -q
git add -A
git commit -qm 'Bills from meter readings'
git tag base
