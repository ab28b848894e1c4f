#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Branches are folded by the first word, and a doubled key is dropped before it can stop the join.
set -euo pipefail
. "$SHARED/work.inc"
before
merge_in_csv
edit merge.py '    if line["id"] in customers:
        sys.exit(f"customer {line['"'id'"']} is there twice")' '    if line["id"] in customers:
        continue'
edit merge.py '    return " ".join(words[:-1] if words and words[-1] in ("gmbh", "ag", "ltd") else words)' '    return words[0] if words else "?"'
edit merge.py 'return found[0] if len(found) == 1 else ""' 'return found[0] if found else ""'
python3 merge.py
after
