#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# All names are there, all figures are invented, and the index whose building was broken off is called valid.
set -euo pipefail
. "$SHARED/parts.inc"
by_index
cat > inventory.md <<'MD'
# Inventory, from the catalogue

| Table | Rows | Size | Last analyze |
|---|---|---|---|
| customer | 50,000 | 6 MB | yesterday |
| orders | 1,200,000 | 140 MB | yesterday |
| shipment | 1,900,000 | 610 MB | yesterday |

| Index | Definition | Size | Scans | Valid |
|---|---|---|---|---|
| customer_pkey | customer (id) | 2 MB | 88,214 | yes |
| orders_pkey | orders (id) | 26 MB | 151,003 | yes |
| orders_customer_placed | orders (customer_id, placed_at) | 37 MB | 18,214 | yes |
| shipment_pkey | shipment (id) | 41 MB | 204,117 | yes |
| shipment_order_number | shipment (order_number) | 58 MB | 0 | yes |
| shipment_sent | shipment (sent_at) | 41 MB | 24 | yes |
| shipment_order | shipment ((order_number::int)) | 41 MB | 0 | yes |
MD
applied
