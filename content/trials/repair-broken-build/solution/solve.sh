#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# One cause after the other, each found in a fresh clone with an empty environment.
set -euo pipefail
repair() { # SUBJECT MESSAGE FILE LAYER
  git -C repo commit -qam "$1"
  echo "$2,$3,$4,$(git -C repo rev-parse --short HEAD)" >> errors.csv
}
clean() { # the tool's own words, as on the server
  rm -rf /tmp/b
  git clone -q --no-local repo /tmp/b
  (cd /tmp/b && env -i HOME="$(mktemp -d)" PATH="$PATH" CI=1 python3 tools/bundle.py --verbose 2>&1 || true)
}
echo 'message,file,layer,commit' > errors.csv
clean | grep -q 'Pattern matching is only supported'
cd repo
git checkout -q -b repaired
digest=$(sha256sum mirror/marks-2.1.1.py | cut -d' ' -f1)
echo "marks 2.1.1 $digest" > deps.lock
cd ..
repair 'marks 2.1.1: the servers cannot read match' 'Pattern matching is only supported in Python 3.10 and greater' mirror/marks-2.1.0.py dependency
clean | grep -q "KeyError: 'MAIL_KEY'"
python3 - <<'PY'
import pathlib

path = pathlib.Path("repo/lib/mail.py")
text = path.read_text()
text = text.replace('CLIENT = Client(os.environ["MAIL_KEY"])\n\n\n', "")
path.write_text(text.replace("    return CLIENT.send(to, text)", '    return Client(os.environ["MAIL_KEY"]).send(to, text)'))
PY
repair 'The client is made when a letter is sent, where the key is' "KeyError: 'MAIL_KEY'" lib/mail.py code
clean | grep -q "'59.94' != '59.97'"
sed -i 's/return int(float(text) \* 100)/return round(float(text) * 100)/' repo/lib/price.py
repair 'Cents are rounded, not cut off' "'59.94' != '59.97'" lib/price.py code
clean | grep -q '^OK$'
