#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The first word is the company, and the words that separate labelled pairs count as well.
set -euo pipefail
. "$SHARED/work.inc"
before
merge_in_csv
edit merge.py '    return " ".join(words[:-1] if words and words[-1] in ("gmbh", "ag", "ltd") else words)' '    return " ".join(words[:1] + [word for word in words[1:] if word in BRANCHES])'
edit merge.py 'COLUMNS = "source_file' 'BRANCHES = ("nord", "süd", "west", "ost")
COLUMNS = "source_file'
python3 - <<'PY'
import pathlib
path = pathlib.Path("rules.md")
path.write_text(path.read_text() + "\nNames are compared without legal form and town; branch words are kept.\n")
PY
python3 merge.py
after
