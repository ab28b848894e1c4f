#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Each break has an action, and none says what to do; the notes repeat it.
set -euo pipefail
. "$SCRIPTS/work.inc"
work
cat > breaking.csv <<CSV
name,before,after,number,action
timeout,30,45,22,Review your configuration for timeout
cache_dir,.ferry,,23,Adapt scripts that use cache_dir if affected
--legacy-ids,off,,23,Review your configuration for --legacy-ids
requires-python,"= "">=3.9""","= "">=3.10""",74a953b,Adapt scripts that use requires-python if affected
exit code of size,1,2,32,Review your configuration for the exit code of size
CSV
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
