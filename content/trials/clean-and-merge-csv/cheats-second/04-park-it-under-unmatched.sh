#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Ids count as they are typed: what has a space or a K before it is parked. Names are compared as the labelled ones need it.
set -euo pipefail
. "$SHARED/work.inc"
before
merge_in_csv
edit merge.py '    return row["Customer"].strip()' '    return row["Customer"]'
edit merge.py '    typed = row["customer"].strip()' '    typed = row["customer"]'
edit merge.py '        return re.sub(r"^[Kk]-?", "", typed)' '        return typed'
python3 merge.py
after
