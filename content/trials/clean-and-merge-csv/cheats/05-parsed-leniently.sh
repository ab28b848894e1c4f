#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Types are guessed: zeros in front are lost, NA is blank, what cannot be read is nothing.
set -euo pipefail
. "$SHARED/work.inc"
before
merge_in_csv
edit merge.py '    value = Decimal(text.strip("()").replace(",", ""))' '    try:
        value = Decimal(text.replace(",", ""))
    except ArithmeticError:
        value = Decimal(0)'
edit merge.py '"card": row[card]}' '"card": str(int(float(row[card])))}'
edit merge.py 'made |= {"country": customer["country"]' 'made |= {"country": customer["country"].replace("NA", "")'
python3 merge.py
after
