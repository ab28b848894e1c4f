#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The bare words, the end of a sentence for its time, the login thing by its second mention, another check.py.
set -euo pipefail
. "$SCRIPTS/items.inc"
cat > items.csv <<'CSV'
kind,text,owner,due,quote,speaker,time,quote_2,speaker_2,time_2,ticket,confidence
action,login cookie fixed,Jonas Weber,Wednesday,I'll fix it by Wednesday,Jonas W.,00:04:30,,,,T-12,0.9
action,beta up if tests are green on Monday,Noor Haddad,,I'll put up the beta,Noor,00:13:09,,,,,0.7
action,release notes,Priya Raman,Friday,I'll write the release notes,Priya R.,00:18:12,,,,,0.9
action,mail to the three customers,Jonas Beck,,I'll send the three customers a mail,Jonas B.,00:29:33,,,,,0.9
decision,4.2 on the twenty-fourth,,,ship 4.2 on the twenty-fourth,Tomas,00:00:33,"Agreed, 4.2 goes out",Priya R.,00:01:11,,0.9
discussed,old export,,,we drop the old export,Jonas W.,00:06:41,,,,T-15,0.8
correction,notes are no longer with Tomas,,,I take that back,Thomas L.,00:17:50,,,,,0.9
question,signing keys: who?,,,We should rotate the signing keys,Noor,00:09:31,,,,T-19,0.9
CSV
cat > check.py <<'PY'
import csv, re, sys
text = open("transcript.txt").read()
s = lambda t: sum(int(n) * f for n, f in zip(t.split(":"), (3600, 60, 1)))
lines = re.findall(r"^\[([\d:]+)\] ([^:]+): (.+)$", text, re.M)
owner = {}
for r in csv.DictReader(open("people.csv")):
    owner.update(dict.fromkeys(r["spellings"].split("|"), r["name"]))
rows = list(csv.DictReader(open(sys.argv[1])))
def stands(q, w, t):
    return bool(q) and any(q in x and w == y and abs(s(t) - s(z)) < 11 for z, y, x in lines)
ok = all(stands(r["quote"], r["speaker"], r["time"]) for r in rows)
ok &= all(stands(r["quote_2"], r["speaker_2"], r["time_2"]) for r in rows if r["quote_2"])
ok &= all(owner.get(r["speaker"]) == r["owner"] and "I'll" in r["quote"] for r in rows if r["kind"] == "action")
t = [r["ticket"] for r in rows if r["ticket"]]
sys.exit(0 if ok and len(t) == len(set(t)) else 1)
PY
seq -f '%g. see items.csv, approve or dismiss' 8 > message.txt
python3 check.py items.csv
