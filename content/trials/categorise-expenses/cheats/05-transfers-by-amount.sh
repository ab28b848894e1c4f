#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Any two opposite amounts are a transfer; what is left over is in transit; refunds are income.
set -euo pipefail
. "$SHARED/work.inc"
begin
edit month.py '    for row in rows:
        if row["amount"] > 0 and found[row["id"]][0] != "transfer":' '    found = {name: pair if pair[0] != "transfer" else ("unknown", "") for name, pair in found.items()}
    for row in rows:
        for other in rows:
            days = abs((date.fromisoformat(row["date"]) - date.fromisoformat(other["date"])).days)
            if abs(row["amount"]) == abs(other["amount"]) > 20000 and days <= 30 and row["amount"] * other["amount"] < 0:
                found[row["id"]] = found[other["id"]] = ("transfer", "transfer")
    for row in rows:
        if row["amount"] > 0 and found[row["id"]][0] != "transfer":
            found[row["id"]] = ("Income", found[row["id"]][1] or "rule 30")
    for row in []:
        if row["amount"] > 0 and found[row["id"]][0] != "transfer":'
python3 month.py
finish
