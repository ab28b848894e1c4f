#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# By whole words in place of trigrams, readable ids, and no commit yet.
set -euo pipefail
. "$SCRIPTS/work.inc"
fence
importers
cat > deciding.py <<'PY'
"""Decides by the labelled rows that share most of a text's telling words."""
import re
from collections import Counter


def merchant(text):
    return " ".join(word for word in re.findall(r"[^\W\d_]+", text.upper()) if word not in ("KARTENZAHLUNG", "DEBITKARTE", "BERLIN", "DE"))


class Labelled:
    def __init__(self, lines):
        self.lines = [(number, set(merchant(line["text"]).split()), line["category"]) for number, line in enumerate(lines, 1)]

    def decide(self, text):
        own = set(merchant(text).split())
        near = [(len(own & words) / len(own | words), number, label) for number, words, label in self.lines if own & words]
        best = max((one[0] for one in near), default=0)
        near = [one for one in near if one[0] == best][:5]
        if best < 0.6 or len(near) < 2 or len({label for _, _, label in near}) > 1:
            return "unknown", []
        return Counter(label for _, _, label in near).most_common(1)[0][0], [number for _, number, _ in near]
PY
month
python3 - <<'PY'
from pathlib import Path
path = Path("month.py")
text = path.read_text()
old = 'return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:16]'
assert old in text
path.write_text(text.replace(old, 'return "/".join(map(str, parts))').replace("import hashlib\n", ""))
PY
python3 month.py
