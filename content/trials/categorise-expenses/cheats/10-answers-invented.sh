#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The triage is answered by the agent.
set -euo pipefail
. "$SHARED/work.inc"
begin
python3 month.py
python3 month.py triage | cut -f 1 | sed 's/.*/2025-07-01,&,Shopping/' >> decisions.csv
python3 month.py
finish
