#!/bin/bash
# The forge's repository with pull requests, a clone, and the places where copies lie; values are made here.
set -euo pipefail
export GIT_AUTHOR_NAME=Mara GIT_AUTHOR_EMAIL=mara@example.org GIT_COMMITTER_NAME=Mara GIT_COMMITTER_EMAIL=mara@example.org
export GIT_AUTHOR_DATE='2026-11-20T22:00:00Z' GIT_COMMITTER_DATE='2026-11-20T22:00:00Z'
python3 - <<'PY'
import base64
import gzip
import hashlib
import io
import json
import pathlib
import random
import tarfile
import urllib.parse
import zipfile

dice = random.Random(11)


def value(name, prefix):
    body = base64.b64encode(hashlib.sha256(name.encode()).digest()).decode()[:34]
    return prefix + body[:9] + "+" + body[9:20] + "/" + body[20:30]


ship, new, mail = value("ship", "hbr_live_"), value("new", "hbr_live_"), value("mail", "pst_live_")
keys = {hashlib.sha256(one.encode()).hexdigest(): {"id": name, "state": state} for one, name, state in (
    (ship, "key-17", "withdrawn 2026-11-20T23:09:00Z"), (new, "key-18", "active"), (mail, "key-4", "active"))}


def write(path, text):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def settings(one, other):
    return json.dumps({"url": "https://harbour.example/v1", "ship_token": one, "mail_token": other, "berths": 3}, indent=2) + "\n"


def archive(files, kind):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{kind}") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text))
    return out.getvalue()


def log(*lines):
    rows = [f"{dice.randint(10, 23)}:{dice.randint(10, 59)} step {dice.randint(1, 9)} took {dice.randint(1, 900)} ms" for _ in range(400)]
    for line in lines:
        rows.insert(dice.randint(1, 399), line)
    return "\n".join(rows) + "\n"


write("provider/keys.json", json.dumps(keys, indent=1))
write("incident/old.txt", ship + "\n")
write("incident/new.txt", new + "\n")
write("app/server/settings.json", settings(ship, mail))
write("app/.env.bak", f"SHIP_TOKEN={ship}\n")
write("app/.gitignore", "__pycache__/\n*.bak\n")
for number in range(30, 60):
    more = {41: [f"+ SHIP_TOKEN={ship}"], 44: [f"GET /v1/me?token={urllib.parse.quote(ship, safe='')} 200"], 47: ["+ SHIP_TOKEN=***"]}
    text = log(*more.get(number, [])).encode()
    write(f"places/ci/run-{number}.log" + (".gz" if number < 43 else ""), gzip.compress(text, mtime=0) if number < 43 else text)
write("places/tracker/issue-9.md", f"The letters come back.\n\n> post said no to {mail}\n")
write("places/tracker/issue-12.md", "Please write `hbr_live_<token>` into the settings, never a real one.\n")
basic = base64.b64encode(f"deploy:{ship}".encode()).decode()
cell = {"cell_type": "code", "source": ["ask()"], "outputs": [{"text": ["{'Authorization': 'Basic " + basic + "'}\n"]}]}
write("places/notebooks/load.ipynb", json.dumps({"cells": [cell], "nbformat": 4}, indent=1))
layers = [archive({"app/server/settings.json": settings(ship, mail).encode()}, "gz"), archive({"app/server/.wh.settings.json": b""}, "gz")]
write("places/images/berths.tar", archive({"manifest.json": b"[]", "1/layer.tar": layers[0], "2/layer.tar": layers[1]}, ""))
out = io.BytesIO()
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as files:
    files.writestr("berths-1/berths.py", pathlib.Path("app/berths.py").read_text())
    files.writestr("berths-1/server/settings.json", settings(ship, mail))
write("places/releases/berths-1.zip", out.getvalue())
write("/tmp/deploy.sh", f"#!/bin/sh\ncurl -H 'Authorization: Bearer {ship}' https://harbour.example/v1/berths\n")
write("/tmp/dev.env", f"URL=https://harbour.example/v1/me?token={urllib.parse.quote(ship, safe='')}\n")
write("/tmp/message", f"Try the token again\n\n{ship} works for me\n")
PY
chmod 600 incident/old.txt incident/new.txt
git init -q -b main app
cd app
at() { export GIT_AUTHOR_DATE="2026-11-$1:00Z" GIT_COMMITTER_DATE="2026-11-$1:00Z"; }
at 02T09:00
git add .gitignore README.md *.py berths.txt docs tools
git commit -qm 'Berths'
git checkout -q -b deploy
cp /tmp/deploy.sh .
git add deploy.sh
git commit -qm 'Deploy by hand'
git rm -q deploy.sh
git commit -qm 'Deploy by CI'
git checkout -q main
at 20T22:29
git add server
git commit -qm 'Settings for the new quay'
git tag v1
git checkout -q -b three
mkdir config && cp /tmp/dev.env config/
git add config
git commit -qm 'Settings of developers'
git checkout -q -b four main
git commit -q --allow-empty -F /tmp/message
git checkout -q main
cd ..
git clone -q --bare app origin.git
git -C origin.git update-ref refs/pull/3/head three
git -C origin.git update-ref refs/pull/4/head four
git -C origin.git branch -qD three four
git -C origin.git remote remove origin
git -C app branch -qD three four
git -C app remote add origin ../origin.git
git -C app fetch -q origin
git -C app reflog expire --expire=now --all
git -C app gc -q --prune=now
