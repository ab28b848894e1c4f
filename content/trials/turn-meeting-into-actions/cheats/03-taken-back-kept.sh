#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The promise that was taken back stays, and the correction is left out.
set -euo pipefail
. "$SCRIPTS/work.inc"
sed -i '/^correction,/s/.*/action,Write the release notes,Tomas Lind,by Thursday,And I will write the release notes by Thursday.,Tomas,00:02:20,,,,,high/' items.csv
