#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# As many ids as were written, counted from the end of the table.
set -euo pipefail
. "$SHARED/pieces.inc"
way_back
rehearsed
card
gone_up a 10
count=$(./host written production "$new" | wc -l)
bash back.sh production
./smoke production
./host traffic production 15
echo id,verdict > records.csv
python3 -c "
import sqlite3
for row in sqlite3.connect('env/production/app.db').execute('SELECT id, seats FROM booking ORDER BY id DESC LIMIT $count'):
    print(row[0], 'converted' if row[1] > 8 else 'readable', sep=',')" >> records.csv
report "went back"
