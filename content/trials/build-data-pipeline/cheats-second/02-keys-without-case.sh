#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The key of a station does not tell capitals apart: one overwrites another.
set -euo pipefail
. "$SHARED/work.inc"
change load.py 'stations (id TEXT PRIMARY KEY' 'stations (id TEXT COLLATE NOCASE PRIMARY KEY'
change load.py 'readings (station TEXT, at' 'readings (station TEXT COLLATE NOCASE, at'
finish
