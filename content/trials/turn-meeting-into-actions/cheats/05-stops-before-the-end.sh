#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The last ten minutes are not read.
set -euo pipefail
. "$SCRIPTS/work.inc"
sed -i '/00:2[0-9]:/d' items.csv
sed -i '8,$d' message.txt
