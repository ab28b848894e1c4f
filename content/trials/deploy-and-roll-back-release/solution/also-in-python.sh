#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Another instance, for longer; one script in Python; verdicts by what the old release shows.
set -euo pipefail
. "$SHARED/pieces.inc"
cat > back.sh <<'END'
#!/bin/bash
exec python3 - "$1" <<'PY'
import json, pathlib, subprocess, sys
env = sys.argv[1]
host = lambda *words: subprocess.run(["./host", *words], check=True, capture_output=True, text=True).stdout.split()
good = json.loads(pathlib.Path(f"env/{env}/state.json").read_text())["deployments"][0]["a"]
for instance in "cba":
    host("deploy", env, good, instance)
for booking in host("held", env):
    host("convert", env, booking)
PY
END
./host migrate staging v2.4.0
./host deploy staging v2.4.0
./host traffic staging 20
bash back.sh staging
./host traffic staging 20
./host deploy staging v2.4.0
card
./host backup production
./host migrate production v2.4.0
./host deploy production v2.4.0 c
./host traffic production 14
./host held production > held.txt
bash back.sh production
./host traffic production 16
python3 - "$new" <<'PY'
import json, sys
held = set(open("held.txt").read().split())
with open("records.csv", "w") as out:
    print("id,verdict", file=out)
    for line in open("env/production/access.log"):
        minute, instance, digest, op, status, body = json.loads(line)
        if digest == sys.argv[1] and op == "book" and status == 200:
            print(body["id"], "converted" if str(body["id"]) in held else "readable", sep=",", file=out)
PY
rm held.txt
report "gone back"
