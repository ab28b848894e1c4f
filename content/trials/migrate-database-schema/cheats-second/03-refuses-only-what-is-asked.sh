#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# What refused.sql tries is refused, and no more: no sign of the rule's true limit, and NULL where no line tries it.
set -euo pipefail
. "$SHARED/parts.inc"
all
sed -i 's/value > -274/value > -1000/; s/sensor_id int NOT NULL/sensor_id int/; s/taken_at timestamptz NOT NULL/taken_at timestamptz/; s/name text NOT NULL UNIQUE/name text UNIQUE/' expand/001.up.sql
up expand backfill
