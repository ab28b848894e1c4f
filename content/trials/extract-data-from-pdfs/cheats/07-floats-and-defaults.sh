#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Money through float, defaults in place of null, and no rule for a row that is lost or doubled.
set -euo pipefail
. "$SHARED/base.inc"
edit schema.py 'from typing import Annotated, Literal' 'from typing import Annotated, Any, Literal'
edit schema.py 'Money = Annotated[str, StringConstraints(pattern=r"^-?\d+\.\d{2}$")]' 'Money = Any'
edit schema.py '        for name in ("date", "due"):' '        for name in ("unit_price", "net"):
            value = getattr(self, name)
            object.__setattr__(self, name, str(round(float(value or 0), 2)) if "." not in str(value or 0) else f"{float(value):.2f}")
        if self.due is None:
            object.__setattr__(self, "due", self.date)
        for name in ("date", "due"):'
edit extract.py '            if not right:' '            if not right and label in ():'
edit extract.py '        if lined != len(rows) - before:' '        if False:'
python3 extract.py pdfs out
