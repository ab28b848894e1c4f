#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Sentences from titles and descriptions; any line of the file is the source.
set -euo pipefail
. "$SHARED/work.inc"
work
sed -i 's/^- Choose the form.*/- Print JSON with --json. (#21)/; s/^- Wait 45.*/- Raise the default timeout to 60 seconds. (#22)/; s/^- Upload.*/- Upload in parallel, with 8 workers by default. (#24)/' notes.md
for number in 21 22 24 26; do row $number source ferry.py:1; done
