#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# From the facts that pages hold for machines; refusals are kept too, files are named by their address's digest.
set -euo pipefail
cat > fetch.py <<'PY'
"""fetch.py: what inventory.csv lists; fetch.py list: inventory.csv itself."""
import csv
import datetime
import hashlib
import http.client
import os
import sys
import time
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

HOST = "127.0.0.1:8077"
HEADERS = {"User-Agent": "flat-finder/1.0 (+http://127.0.0.1:8077/about-flat-finder)"}
last = 0.0


def get(path):
    global last
    time.sleep(max(0.0, last + 0.31 - time.time()))
    last = time.time()
    line = http.client.HTTPConnection(HOST)
    line.request("GET", path, headers=HEADERS)
    said = line.getresponse()
    return said.status, said.headers, said.read()


class Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.found.append(dict(attrs))


def flat(address):
    parts = urlsplit(urljoin(f"http://{HOST}/", address))
    last = parts.path.rpartition("/")[2]
    return f"http://{HOST}{parts.path}" if last[:4].isdigit() else None


if sys.argv[1:] == ["list"]:
    found = {}
    for place in ElementTree.fromstring(get("/sitemap.xml")[2]).iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc"):
        found.setdefault(flat(place.text), set()).add("sitemap")
    path = "/flats/?page=1"
    while path:
        links = Links(get(path)[2].decode()).found
        for link in links:
            found.setdefault(flat(link["href"]), set()).add("lists")
        path = next((link["href"] for link in links if link.get("rel") == "next"), None)
    with open("inventory.csv", "w") as out:
        print("address,found", file=out)
        for address in sorted(found.keys() - {None}):
            print(address, "both" if len(found[address]) == 2 else [*found[address]][0], sep=",", file=out)
    sys.exit()
os.makedirs("raw", exist_ok=True)
closed = [line.split()[1] for line in get("/robots.txt")[2].decode().splitlines() if line.startswith("Disallow")]
opened = [line.split()[1] for line in get("/robots.txt")[2].decode().splitlines() if line.startswith("Allow")]
fresh = not os.path.exists("fetch.csv")
with open("fetch.csv", "a", newline="") as file:
    out = csv.writer(file)
    if fresh:
        out.writerow(["address", "time", "status", "content_type", "bytes", "sha256", "file"])
    for row in csv.DictReader(open("inventory.csv")):
        path = urlsplit(row["address"]).path
        name = f"raw/{hashlib.sha256(path.encode()).hexdigest()[:16]}"
        if os.path.exists(name) or (any(map(path.startswith, closed)) and not any(map(path.startswith, opened))):
            continue
        status, headers, body = get(path)
        while status == 429:
            out.writerow([row["address"], datetime.datetime.fromtimestamp(last, datetime.timezone.utc).isoformat()[:23] + "Z", status,
                          headers["Content-Type"], len(body), hashlib.sha256(body).hexdigest(), ""])
            time.sleep(int(headers["Retry-After"]))
            status, headers, body = get(path)
        open(name, "wb").write(body)
        out.writerow([row["address"], datetime.datetime.fromtimestamp(last, datetime.timezone.utc).isoformat()[:23] + "Z", status,
                      headers["Content-Type"], len(body), hashlib.sha256(body).hexdigest(), name])
        file.flush()
PY
cat > parse.py <<'PY'
import csv
import json

fetched = {row["address"]: row for row in csv.DictReader(open("fetch.csv", newline=""))}
items, coverage = [], []
for row in csv.DictReader(open("inventory.csv")):
    got = fetched.get(row["address"])
    status = got["status"] if got else ""
    result, reason = "failed", f"status {status}" if got else "robots.txt"
    if status in ("404", "410"):
        result, reason = "nothing", "gone"
    elif status == "200":
        page = open(got["file"], "rb").read()
        _, found, rest = page.partition(b'<script type="application/ld+json">')
        if found:
            facts, result, reason = json.loads(rest.partition(b"</script>")[0]), "parsed", ""
            items.append([row["address"], facts["name"], f"{facts['price']:.2f}" if "price" in facts else "", facts.get("floorSize", ""),
                          facts["datePosted"], got["file"]])
        elif b"nicht mehr frei" in page:
            result, reason = "nothing", "given up"
        else:
            reason = "a page without facts; a question whether one is human, or an empty one"
    coverage.append([row["address"], result, status, reason])
for name, header, rows in (("items.csv", "address,title,rent,area,listed,file", items), ("coverage.csv", "address,result,status,reason", coverage)):
    with open(name, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header.split(","))
        out.writerows(rows)
PY
cat > verify.py <<'PY'
import csv
import datetime
import html
import re

bad = []
for row in csv.DictReader(open("items.csv", newline="")):
    page = open(row["file"], "rb").read()
    text = page.decode("latin-1" if b'charset="iso-8859-1"' in page else "utf-8")
    text = html.unescape(re.sub(r"<script.*?</script>|<title.*?</title>|<[^>]+>", "\n", text))
    numbers = [float(one.replace(".", "").replace(",", ".") if re.search(r",\d{1,2}$", one) else one.replace(",", ""))
               for one in map("".join, re.findall(r"€([\d.,]+)|([\d.,]+) (?:€|EUR)|EUR([\d.,]+)", text))]
    sizes = [float(one.replace(",", ".")) for one in re.findall(r"([\d.,]+) m²", text)]
    try:
        day = datetime.date.fromisoformat(row["listed"]) if row["listed"] else None
        good = [row["title"] in text, not row["rent"] or float(row["rent"]) in numbers, not row["area"] or float(row["area"]) in sizes,
                not day or day.strftime("%d.%m.%Y") in text or f"{day.day} {day:%B %Y}" in text]
    except ValueError:
        good = [False]
    if not all(good):
        bad.append(row["address"])
print(*bad, sep="\n")
raise SystemExit(bool(bad))
PY
python3 with_site.py python3 fetch.py list
python3 with_site.py python3 fetch.py
python3 parse.py
python3 verify.py
