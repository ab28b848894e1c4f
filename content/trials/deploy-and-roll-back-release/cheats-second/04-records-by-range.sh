#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# All between the first and the last booking of the release is taken for its own, though two instances had the old one.
set -euo pipefail
. "$SHARED/pieces.inc"
way_back
rehearsed
card
gone_up a 10 | tee numbers.txt
./host held production > held.txt
bash back.sh production
./smoke production
./host traffic production 15
first=$(./host written production "$new" | head -n 1 | cut -d' ' -f1)
last=$(./host written production "$new" | tail -n 1 | cut -d' ' -f1)
echo id,verdict > records.csv
for id in $(seq "$first" "$last"); do
  if grep -qx "$id" held.txt; then echo "$id,converted"; else echo "$id,readable"; fi
done >> records.csv
report "went back"
rm numbers.txt held.txt
