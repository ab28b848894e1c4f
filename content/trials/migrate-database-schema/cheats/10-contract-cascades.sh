#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# DROP … CASCADE takes the foreign key of the alarms along.
set -euo pipefail
. "$SHARED/parts.inc"
all
printf 'ALTER TABLE measurement ALTER id DROP DEFAULT;\nALTER SEQUENCE reading_id_seq OWNED BY measurement.id;\nALTER TABLE measurement ALTER id SET DEFAULT nextval($$reading_id_seq$$);\nDROP TABLE reading CASCADE;\nDROP FUNCTION both_shapes();\n' > contract/001.up.sql
up expand backfill
