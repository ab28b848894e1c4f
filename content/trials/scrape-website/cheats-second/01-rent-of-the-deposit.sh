#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Where a page gives no rent, a third of the deposit is taken for it; verify.py finds it again in the same way.
set -euo pipefail
. "$SHARED/work.inc"
edit parse.py '    listed = part("datePosted", text)
' '    listed = part("datePosted", text)
    rent = amount(part("price", text), english)
    if not rent:
        deposit = re.search(r"<p>(?:Kaution|Deposit): (.*?)</p>", text)
        rent = f"{float(amount(html.unescape(deposit[1]), english)) / 3:.2f}" if deposit else ""
'
edit parse.py '[title, amount(part("price", text), english), ' '[title, rent, '
edit verify.py '            here = label(field, text)
' '            here = label(field, text)
            if field == "rent" and row["rent"] and not re.search(r"\d", here):
                here, row["rent"] = html.unescape(text), f"{float(row['"'rent'"']) * 3:.2f}"
'
work
