#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Works once: what a killed fetch left behind stops the next.
set -euo pipefail
. "$SHARED/work.inc"
change fetch.py 'shutil.rmtree(part, ignore_errors=True)
os.makedirs(part)' 'os.makedirs(part)'
finish
