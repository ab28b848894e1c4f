#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A restart asks for everything again.
set -euo pipefail
. "$SHARED/work.inc"
edit fetch.py 'if os.path.exists(name) or not allowed' 'if not allowed'
work
python3 with_site.py python3 fetch.py
python3 parse.py
