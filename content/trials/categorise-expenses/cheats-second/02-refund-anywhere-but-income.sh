#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# What came back has the category that the shop usually has, whatever its purchase has.
set -euo pipefail
. "$SHARED/work.inc"
begin
edit month.py '                if same and other["amount"] == -row["amount"] and other["date"] <= row["date"]:
                    found[row["id"]] = (found[other["id"]][0], f"refund {other['"'id'"']}")' '                if same and other["amount"] < 0 and found[row["id"]][1][:6] != "refund":
                    usual = labelled.decide(row["text"])[0]
                    usual = "Shopping" if usual == "unknown" else usual
                    found[row["id"]] = (usual, f"refund {other['"'id'"']}")'
python3 month.py
finish
