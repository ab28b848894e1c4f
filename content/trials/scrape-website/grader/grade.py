# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""What the site holds is known here; scripts of the case run in children, on this site's tables and on another site."""

import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import zlib
from itertools import pairwise
from pathlib import Path

import flats

SITE = "http://127.0.0.1:8077"
AGENT = "flat-finder/1.0 (+http://127.0.0.1:8077/about-flat-finder)"
SERVER = "7c2c8e105a1a62c5f04f901c756ea2d1d677e8a9853632fedb25e9ee76270a2a"
FIELDS = ("title", "rent", "area", "listed")


def failed(why):
    print(why)
    sys.exit(10)


def read(name):
    try:
        if os.path.islink(name):
            failed(f"{name} is a link")
        with open(name, "rb") as file:
            return file.read(1_000_000)
    except OSError as error:
        failed(f"{name}: {error}")


def table(name, columns):
    try:
        rows = list(csv.DictReader(io.StringIO(read(name).decode("utf-8-sig"), newline="")))
    except (UnicodeDecodeError, csv.Error) as error:
        failed(f"{name}: {error}")
    if not rows or any(not isinstance(row.get(column), str) for row in rows for column in columns.split()):
        failed(f"{name} has not the columns {columns}")
    return rows


def child(command):
    return subprocess.run([os.environ["CHILD"], command], stdout=subprocess.DEVNULL).returncode


def number(text):
    try:
        return float(text) if text else None
    except ValueError:
        return text


def same_tables(seed, folder=""):
    """The tables of a folder say of each flat what the site of this seed says."""
    pages, truth = flats.made(seed)
    wanted = {SITE + flat["path"]: flat for flat in truth}
    items = table(f"{folder}items.csv", "address title rent area listed file")
    coverage = table(f"{folder}coverage.csv", "address result status reason")
    fetched = {row["address"]: row for row in table(f"{folder}fetch.csv", "address time status bytes sha256 file")}
    if sorted(row["address"] for row in coverage) != sorted(wanted):
        failed("coverage.csv has not each flat once")
    for row in coverage:
        flat = wanted[row["address"]]
        if (row["result"], row["status"]) != (flat["result"], str(flat["status"])) or (
            row["result"] != "parsed" and not row["reason"]
        ):
            failed(f"{row['address']} is {row['result']}, {row['status']}, for {row['reason'] or 'no reason'}")
    if sorted(row["address"] for row in items) != sorted(
        address for address, flat in wanted.items() if flat["result"] == "parsed"
    ):
        failed("items.csv has not each flat that the site offers once")
    for row in items:
        flat = wanted[row["address"]]
        said = [row["title"], number(row["rent"]), number(row["area"]), row["listed"]]
        if said != [flat["title"], number(flat["rent"]), number(flat["area"]), flat["listed"]]:
            failed(f"{row['address']}: is {said}")
        if os.path.normpath(row["file"]) != os.path.normpath(fetched[row["address"]]["file"]):
            failed(f"{row['address']}: names another file than fetch.csv")
    for address, flat in wanted.items():
        row = fetched.get(address)
        if (row is None) != (flat["status"] == ""):
            failed(f"{address}: {'not asked for' if row is None else 'was asked for'}")
        if row and row["status"] != str(flat["status"]):
            failed(f"{address} was answered with {row['status']}")
        if row and row["status"] == "200":
            page = pages[flat["path"]]
            body = page["body"].encode(page.get("charset", "utf-8"))
            if (
                not row["file"].startswith("raw/")
                or ".." in row["file"]
                or read(folder + row["file"]) != body
                or int(row["bytes"]) != len(body)
            ):
                failed(f"{row['file']} is not the page as it came")
    if strange := fetched.keys() - wanted.keys():
        failed(f"asked for beside the flats: {sorted(strange)}")


def polite(log):
    """What the server of the other site saw."""
    asked = [json.loads(line) for line in read(log).decode().splitlines()]
    if any(agent != AGENT for _, _, _, agent in asked):
        failed("another user agent")
    if any(path.startswith(("/api/", "/members/")) and not path.startswith("/members/open/") for _, path, _, _ in asked):
        failed("asked for what robots.txt forbids")
    if sum(two[0] - one[0] < 0.2 for one, two in pairwise(asked)) > 3:  # a busy machine may put two together
        failed("asked faster than every 0.3 seconds")
    if any(one[2] == 429 and two[0] - one[0] < 0.9 for one, two in pairwise(asked)):
        failed("Retry-After was not obeyed")
    for status in (200, 403):
        paths = [path for _, path, code, _ in asked if code == status and path != "/robots.txt"]
        if len(paths) > len(set(paths)):
            failed(f"asked again after {status}")


if hashlib.sha256(read("with_site.py")).hexdigest() != SERVER:
    failed("with_site.py is another")
found = {row["address"]: row["found"] for row in table("inventory.csv", "address found")}
pages, truth = flats.made(7)
try:
    if json.loads(zlib.decompress(read("site.dat"))) != {"pages": pages}:
        failed("site.dat is another")
except (ValueError, zlib.error):
    failed("site.dat is another")
shown = "".join(page["body"] for path, page in pages.items() if path.startswith("/flats/?"))
for flat in truth:
    ways = (f"{SITE}{flat['path']}<" in pages["/sitemap.xml"]["body"], f'"{flat["path"]}?' in shown)
    if found.pop(SITE + flat["path"], None) != {(True, True): "both", (True, False): "sitemap", (False, True): "lists"}[ways]:
        failed(f"inventory.csv: {flat['path']}")
if found:
    failed(f"inventory.csv has what is no flat: {sorted(found)[:5]}")
same_tables(7)

place = Path("graded-elsewhere")
shutil.rmtree(place, ignore_errors=True)
place.mkdir()
for name in os.listdir():
    if os.path.isfile(name) and not os.path.islink(name) and name not in ("fetch.csv", "items.csv", "coverage.csv", "access.log"):
        shutil.copyfile(name, place / name)
shutil.copyfile("with_site.py", place / "with_site.py")
(place / "site.dat").write_bytes(flats.packed(8))
(place / "inventory.csv").write_text(
    "\n".join(["address,found", *(f"{SITE}{flat['path']},both" for flat in flats.made(8)[1])]) + "\n"
)
if child(f"cd {place} && python3 with_site.py python3 fetch.py"):
    failed("fetch.py does not run on other flats")
log = f"{place}/access.log"
polite(log)
once = [json.loads(line)[1:3] for line in read(log).decode().splitlines()]
if child(f"cd {place} && python3 with_site.py python3 fetch.py && python3 parse.py && python3 verify.py"):
    failed("a second run, parse.py or verify.py does not end well on other flats")
again = [json.loads(line)[1:3] for line in read(log).decode().splitlines()][len(once) :]
if any(path != "/robots.txt" and [path, 200] in once for path, _ in again):
    failed("a second run asks again for what is kept")
same_tables(8, f"{place}/")
rows = table(f"{place}/items.csv", "address title rent area listed file")
for field in FIELDS:
    for place_of, row in enumerate(rows):
        other = next((one[field] for one in rows if one[field] not in ("", row[field])), None)
        if place_of % 9 == 3 or (not row[field] and field in ("rent", "area") and place_of % 2):
            with open(place / "items.csv", "w", newline="") as file:
                out = csv.DictWriter(file, list(row))
                out.writeheader()
                out.writerows([*rows[:place_of], {**row, field: other}, *rows[place_of + 1 :]])
            if child(f"cd {place} && python3 verify.py") == 0:
                failed(f"verify.py lets pass: {field} {other} in place of {row[field] or 'nothing'}")
print("each flat is accounted for, and every value comes from its page")
sys.exit(0)
