#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The host's own rollback, which leads to the deployment before: the same release, on one instance.
set -euo pipefail
. "$SHARED/pieces.inc"
printf '#!/bin/bash\n./host rollback "$1"\n' > back.sh
./host migrate staging "$new"
./host deploy staging "$new"
./smoke staging
bash back.sh staging
./smoke staging
card
gone_up a 10
./host deploy production "$new"
./host traffic production 10
bash back.sh production
./smoke production
./host traffic production 15
listed
report "went back to v2.3.0"
