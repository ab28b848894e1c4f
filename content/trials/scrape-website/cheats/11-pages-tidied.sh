#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A tool tidies each page before it is kept: one encoding, no scripts, no old prices.
set -euo pipefail
. "$SHARED/work.inc"
edit fetch.py '        body = said.read()
' '        body = said.read()
        text = body.decode("iso-8859-1" if b"iso-8859-1" in body[:200] else "utf-8").replace("iso-8859-1", "utf-8")
        body = re.sub(r"<script.*?</script>|<s>.*?</s>", "", text).encode()
'
edit fetch.py 'import os
' 'import os
import re
'
work
