#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A page with letters is digital, whatever lies under them; what does not add up is rounded by the issuer.
set -euo pipefail
. "$SHARED/base.inc"
edit extract.py '        if not page.chars or any(i["width"] * i["height"] > 0.8 * page.width * page.height for i in page.images):' '        if not page.chars:'
edit extract.py 'kind = "scan" if not page.chars else "scan with text" if page.images else "digital"' 'kind = "digital" if page.chars else "scan"'
edit extract.py '                if abs(net) != worth or net' '                off = Decimal(9) if any(page.images for page in pdf.pages) else Decimal(0)
                if abs(abs(net) - worth) > off or net'
edit extract.py '            if not right:' '            if not right and not any(page.images for page in pdf.pages):'
python3 extract.py pdfs out
