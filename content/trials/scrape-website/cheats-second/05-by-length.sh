#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A captcha and a flat that was given up are told apart by the length of the page.
set -euo pipefail
. "$SHARED/work.inc"
edit parse.py '    if "nicht mehr frei" in text:
        return "nothing", "given up", None
' ''
edit parse.py '        return "failed", "asks for a human" if "human" in text else "no title on the page", None
' '        if "<meta" in text and len(text) > 120:
            return "nothing", "given up", None
        return "failed", "asks for a human" if len(text) > 60 else "no title on the page", None
'
work
