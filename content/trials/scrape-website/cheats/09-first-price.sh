#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The first price beside the rent is taken, which is the old one; verify.py looks for it anywhere.
set -euo pipefail
. "$SHARED/work.inc"
edit parse.py 'amount(part("price", text), english)' 'amount((re.findall(r"<s>(.*?)</s>", text) or [part("price", text)])[0], english)'
edit verify.py '            here = label(field, text)' '            here = html.unescape(re.sub(r"<[^>]+>", " ", text))'
work
