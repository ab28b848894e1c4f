#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# What back.sh converts was noted when it was rehearsed, and again in production.
set -euo pipefail
. "$SHARED/pieces.inc"
cat > back.sh <<END
#!/bin/bash
set -euo pipefail
./host deploy "\$1" $good
for id in \$(cat "held-\$1.txt"); do ./host convert "\$1" "\$id"; done
./host status "\$1"
END
./host migrate staging "$new"
./host deploy staging "$new"
./smoke staging
./host traffic staging 5
./host held staging > held-staging.txt
bash back.sh staging
./smoke staging
./host deploy staging "$new"
./smoke staging
card
gone_up a 10 | tee numbers.txt
./host held production > held-production.txt
bash back.sh production
./smoke production
./host traffic production 15
listed
report "went back"
rm numbers.txt
