#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Each break has an action, and none says what to do; the notes repeat it.
set -euo pipefail
. "$SHARED/work.inc"
work
row 22 breaks 'Review your configuration for timeout'
row 23 breaks 'Adapt scripts that use cache_dir if affected'
row '' breaks 'Adapt scripts that use requires-python if affected'
row 32 breaks 'Review your configuration for the exit code of size'
python3 - <<'PY'
import re
text = open("notes.md").read()
for number, entry in {
    "22": "Change the default of `timeout` from 30 to 45. Review your configuration.",
    "23": "Remove `cache_dir` and `--legacy-ids`. Adapt scripts if affected.",
    "74a953b": "Require Python 3.10 in place of 3.9. Adapt scripts if affected.",
    "32": "End with exit code 2, not 1, where `size` is given no size. Review your configuration.",
}.items():
    text = re.sub(rf"(?m)^- .*\(#?{number}\)$", lambda found: f"- {entry} " + found[0].rpartition(" ")[2], text)
open("notes.md", "w").write(text)
PY
