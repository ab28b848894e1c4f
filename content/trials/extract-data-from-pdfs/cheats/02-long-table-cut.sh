#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Nothing after the second page, and the count is the length of what was found.
set -euo pipefail
. "$SHARED/base.inc"
edit extract.py 'for page in pdf.pages:
        if not page.chars or any' 'for page in pdf.pages[:2]:
        if not page.chars or any'
edit extract.py 'if not ended or not rows:' 'if not rows:'
edit extract.py 'lined = sum(bool(ROW.match(line)) for line in pdf.pages[place - 1].extract_text().splitlines())' 'lined = len(rows) - before'
python3 extract.py pdfs out
