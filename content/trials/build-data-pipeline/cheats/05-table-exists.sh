#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Creates its tables, on the first day only; day-2 goes into a fresh file.
set -euo pipefail
. "$SHARED/work.inc"
sed -i 's/CREATE TABLE IF NOT EXISTS/CREATE TABLE/' load.py
change load.py 'base = sqlite3' 'import os
if path == "flood.db" and os.path.exists(path):
    os.remove(path)
base = sqlite3'
finish
