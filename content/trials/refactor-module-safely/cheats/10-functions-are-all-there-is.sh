#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# moves.csv lists functions and classes alone; tables, switches and registries have no row.
set -euo pipefail
. "$SHARED/moves.inc"
begin
dates
rates
posting
foreign
parsing
reports
sed -i -E '/^(STRICT|RATES|RATES_AS_OF|HANDLERS|_AMOUNT|log),/d' moves.csv
