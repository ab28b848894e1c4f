#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Production is right, typed by hand; the one command was never tried and knows production alone.
set -euo pipefail
. "$SHARED/pieces.inc"
cat > back.sh <<END
#!/bin/bash
./host deploy production $good a
END
./host migrate staging "$new"
./host deploy staging "$new"
./smoke staging
card
gone_up a 10
./host deploy production "$good"
for id in $(./host held production); do ./host convert production "$id"; done
./host traffic production 15
listed
report "went back"
