#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A station that comes back stays gone.
set -euo pipefail
. "$SHARED/work.inc"
change load.py 'base.execute("UPDATE stations SET gone = 1")' 'here = {key[0] for key in stations}
base.executemany("UPDATE stations SET gone = 1 WHERE id = ?", [(name,) for name in before - here])'
change load.py 'town = excluded.town, river = excluded.river, gone = 0' 'town = excluded.town, river = excluded.river'
finish
