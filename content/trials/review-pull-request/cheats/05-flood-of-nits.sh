#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Style in five heaps, and the fault at the end of the fourth.
set -euo pipefail
. "$SCRIPTS/mends.inc"
for n in 1 2 3 4 5; do
  echo 'exit 1' > review/$n.sh
done
printf 'grep -q goods_ parcel/rates.py || exit 1\n' > review/4.sh
mend 1 parcel/rates.py '[(grams, place)][:][0]' '[grams, place][0]'
mend 2 parcel/rates.py '_asked = {}' '_asked: dict = {}'
mend 3 parcel/invoice.py 'sum_ = total(goods, grams, country)
' 'sum_ = total(goods, grams, country)

'
mend 4 parcel/rates.py 'goods > free_from' 'goods >= free_from'
mend 5 parcel/catalogue.py '""}' '"",}'
{
  echo "A great change! Walk-through: rates, invoice, catalogue."
  for n in 1 2 3 4 5; do
    echo "## $n. parcel/rates.py:$n medium"
    printf -- '- naming\n- docstring\n- style\n'
    [ $n != 4 ] || echo "- > should perhaps be >=, and returns.py could be looked at, and the catalogue, and Norway"
  done
} > review/review.md
