#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# As 05, and the migration does it in production, too.
set -euo pipefail
. "$SHARED/parts.inc"
inventory
by_rewrite
mv wrong.sql new.sql
sed 's/count(\*) FILTER (WHERE lost)/count(*)/' new.sql > wrong.sql
echo "UPDATE shipment SET order_number = ltrim(order_number, '0') WHERE order_number LIKE '0%';" >> migration.sql
applied
