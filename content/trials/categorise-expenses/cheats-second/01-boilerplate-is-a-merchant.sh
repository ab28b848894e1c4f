#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The last rule is the wording of the bank: a card payment of an unknown shop is groceries.
set -euo pipefail
. "$SHARED/work.inc"
begin
echo '900,^(Kartenzahlung|Debitkarte) .*[0-9]{4},Groceries' >> rules.csv
edit month.py '        elif rule := next((line for line in rules if re' '        elif rule := next((line for line in rules if int(line["priority"]) < 900 and re'
edit month.py '            found[row["id"]] = (category, "neighbours " + " ".join(map(str, near))) if near else ("unknown", "")' '            found[row["id"]] = (category, "neighbours " + " ".join(map(str, near))) if near else ("unknown", "")
            last = next((line for line in rules if re.search(line["pattern"], row["text"], re.IGNORECASE)), None)
            if not near and last:
                found[row["id"]] = (last["category"], f"rule {last['"'priority'"']}")'
python3 month.py
finish
