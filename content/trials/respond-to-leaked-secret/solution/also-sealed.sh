#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The programs keep no file of settings; copies by commit and layer; keys from a file that the environment names or holds.
set -euo pipefail
. "$SHARED/do.inc"
code() {
  git checkout -q -b leak main
  git rm -q server/settings.json
  printf 'server/count\n__pycache__/\n.env.bak\n' > .gitignore
  mkdir -p server && touch server/.gitkeep
  cat > berths.py <<'PY'
"""Sign the day's berths for the harbour."""

import hashlib
import hmac
import os
import pathlib

if __name__ == "__main__":
    if not os.environ.get("SHIP_TOKEN"):
        raise SystemExit("there is no SHIP_TOKEN in the environment")
    berths = pathlib.Path("berths.txt").read_text()
    pathlib.Path("server/count").write_text(str(len(berths.splitlines())))
    print("berths", hmac.new(os.environ["SHIP_TOKEN"].encode(), berths.encode(), hashlib.sha256).hexdigest())
PY
  cat > mail.py <<'PY'
"""Sign the letter to the masters."""

import hashlib
import hmac
import os
import pathlib

if __name__ == "__main__":
    if not os.environ.get("MAIL_TOKEN"):
        raise SystemExit("there is no MAIL_TOKEN in the environment")
    letter = f"{pathlib.Path('server/count').read_text()} berths today"
    print("letter", hmac.new(os.environ["MAIL_TOKEN"].encode(), letter.encode(), hashlib.sha256).hexdigest())
PY
  printf '"""How many berths the last start had."""\n\nimport pathlib\n\nif __name__ == "__main__":\n    print(pathlib.Path("server/count").read_text())\n' > status.py
  sed -i 's|`server/settings.json`|`server/count`|' README.md
}
docs() { rm docs/keys.md; sed -i '$a\\nKeys: SHIP_TOKEN and MAIL_TOKEN, in the environment.' README.md; }
rule() {
  printf 'hbr_live_\\S{24}\npst_live_\\S{24}\n' >> tools/rules.txt
  echo nothing-is-silenced > tools/allow.txt
}
rule_test() {
  sed -i '/def test_nothing/i\    def test_harbour(self):\n        self.assertEqual([exit_code("hbr_live_" + "aB3/" * 9), exit_code("hbr_live_<token>")], [1, 0])\n\n    def test_post(self):\n        self.assertEqual([exit_code("pst_live_" + "aB3/" * 9), exit_code("pst_live_<token>")], [1, 0])\n' test_scan.py
}
commit() {
  git add -A
  git commit -q -m 'No key in a file'
}
branch
rm app/.env.bak
{
  echo place,secret,who,state,commit
  rows_of_ship revoked | sed '/^app/d; s/$/,see below/'
  rows_of_mail leaked | sed 's/$/,see below/'
  echo "app/.env.bak,$ship,whoever uses this machine,removed,"
} > incident/places.csv
(umask 077; mail_value > incident/neighbour.txt)
echo "incident/neighbour.txt,$mail,the owner of this folder,leaked,made for the search" >> incident/places.csv
cat > incident/incident.md <<MD
- $ship: revoked, $(ask incident/old.txt) at $(now), asked by \`python3 provider/refusal.py incident/old.txt\`
- $mail: leaked, $(ask incident/neighbour.txt) at $(now), asked by \`python3 provider/refusal.py incident/neighbour.txt\`; to be withdrawn first of all
- the new one: 200 at $(now), asked with incident/new.txt

What was done with them between 22:30 and now is unknown: no log of the provider's was given.
MD
