#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Of equal contents the oldest file is the original: the loose one of the old disk, and the RAW files lose their JPEG.
set -euo pipefail
. "$SHARED/copy.inc"
sed 's/^for path in order:/order.sort(key=lambda path: stat[path].st_mtime)\n&/' "$SHARED/sort.py" > /tmp/sort.py
python3 /tmp/sort.py
bash copy.sh plan.tsv camera sorted
