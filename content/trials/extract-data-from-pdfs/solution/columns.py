# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""extract.py FOLDER OUT: each word belongs to the column whose title ends, or begins, where it does."""

import csv
import pathlib
import re
import sys
from decimal import Decimal as D

import pdfplumber

from schema import FIELDS, refusal

LEFT = {"Pos": "code", "Code": "code", "Art.": "code", "Item": "item", "Bezeichnung": "item"}
RIGHT = {"Qty": "quantity", "Menge": "quantity", "Price": "unit_price", "Preis": "unit_price", "%": "discount", "Amount": "net", "Betrag": "net"}
NUMBER = re.compile(r"-?[0-9][0-9.,]*-?$")


class Doubt(Exception):
    pass


def lines_of(page):
    lines = {}
    for text in page.extract_words(use_text_flow=True, x_tolerance=2):
        lines.setdefault(round(text["bottom"]), []).append(text)
    return [lines[key] for key in sorted(lines)]


class Reader:
    def __init__(self, name, suppliers):
        self.name, self.suppliers, self.rows, self.edges, self.top, self.open = name, suppliers, [], {}, {}, False
        self.sums = {"all": D(0), "part": D(0), "tax": D(0), "page": None}
        self.comma, self.sign, self.end, self.text = False, 1, False, ""

    def money(self, text):
        minus = text.endswith("-") or text.startswith("-")
        text = text.strip("-")
        text = text.replace(".", "").replace(",", ".") if self.comma else text.replace(",", "")
        return -D(text) if minus else D(text)

    def amount(self, text):
        return -abs(self.money(text)) if self.sign < 0 else self.money(text)

    def line(self, page, words):
        said = " ".join(w["text"] for w in words)
        titles = {RIGHT[w["text"]]: w["x1"] for w in words if w["text"] in RIGHT}
        if "net" in titles and words[0]["text"] in LEFT:
            self.edges = titles
            self.item = next(w["x0"] for w in words if LEFT.get(w["text"]) == "item")
            return
        if not self.edges:
            self.text += said + "\n"
            return
        cells, left = {}, []
        for w in reversed(words):  # a text that runs into a column comes before the column's own number
            near = next((c for c, x in self.edges.items() if abs(w["x1"] - x) < (22 if c == "quantity" else 2) and NUMBER.match(w["text"])), None)
            if near and near not in cells and (near != "quantity" or w is not words[0]):
                cells[near] = w["text"]
            else:
                left.insert(0, w)
        if len(cells) == len(self.edges) and abs(left[0]["x0"] - 50) < 5:
            self.row(page, said, cells, " ".join(w["text"] for w in left[1:]))
        elif self.comma and self.rows and words[0]["x0"] == self.item and "net" not in cells and self.open:
            self.rows[-1]["item"] += " " + said
            self.rows[-1]["quote"] += " " + said
        elif "net" in cells:
            self.sum(" ".join(w["text"] for w in words[:-1]), self.amount(words[-1]["text"]))
        elif said.startswith("Section"):
            self.sums["part"] = D(0)

    def row(self, page, said, cells, item):
        quantity, price, net = self.money(cells["quantity"]), self.money(cells["unit_price"]), self.amount(cells["net"])
        if quantity * price * (100 - D(cells.get("discount", "0"))) != 100 * net * self.sign:
            raise Doubt("quantity times price: " + said)
        self.open = True
        self.sums["all"] += net
        self.sums["part"] += net
        self.rows.append({"document": self.name, "page": page, "quote": said, "item": item, "quantity": cells["quantity"], "unit_price": f"{price:.2f}", "net": f"{net:.2f}"})

    def sum(self, label, value):
        self.open = False
        if label in ("VAT 20%", "MwSt 19%"):
            self.sums["tax"] = value
            right = value == round(self.sums["all"] * int(label[-3:-1]) / 100, 2)
        elif label in ("Subtotal", "Zwischensumme", "Carried forward"):
            right = value == self.sums["all"]
            self.sums["page"] = value
        elif label == "Brought forward":
            right = value == self.sums["page"]
        elif label == "Section total":
            right = value == self.sums["part"]
        elif "otal" in label or label == "Gesamt EUR":
            right, self.end = value == self.sums["all"] + self.sums["tax"], True
        else:
            right = False
        if not right:
            raise Doubt(f"{label} {value} does not agree with the lines")

    def head(self):
        first = self.text.splitlines()[0] if self.text else ""
        number = re.search(r"(INVOICE|CREDIT NOTE|Statement|Rechnung Nr[.]) ([A-Z0-9-]+)$", self.text, re.M)
        dates = dict(re.findall(r"(Invoice date|Issued|Date|Datum|Due date|Payment due|Payable by|Faellig) ([0-9.-]+)", self.text))
        if first not in self.suppliers or not number:
            raise Doubt("no kind that the schema covers")
        self.comma, self.sign = number[1].startswith("R"), -1 if number[1].startswith("C") else 1
        found = {"supplier": first, "number": number[2], "currency": self.suppliers[first], "date": None, "due": None, "reasons": {}}
        for label, day in dates.items():
            day = "-".join(reversed(day.split("."))) if "." in day else day
            found["due" if label in ("Due date", "Payment due", "Payable by", "Faellig") else "date"] = day
        if not found["due"]:
            found["reasons"] = {"due": "not on the page"}
        return found


def read(name, pdf, suppliers):
    reader, counts, top = Reader(name, suppliers), [], None
    for page in pdf.pages:
        if page.images or not page.chars:
            raise Doubt("a picture")
        before = len(reader.rows)
        for words in lines_of(page):
            if top is None and {w["text"] for w in words} & {"Amount", "Betrag"}:
                top = reader.head()
            reader.line(page.page_number, words)
        printed = [x for x in page.extract_text().splitlines() if re.match(r"([0-9]{1,4}|[A-Z]-[0-9]{3}) .*[0-9]-?$", x)]
        counts.append([name, page.page_number, len(printed), len(reader.rows) - before, ""])
        if len(printed) != len(reader.rows) - before:
            raise Doubt(f"page {page.page_number}: {len(printed)} lines, {len(reader.rows) - before} rows")
    if not reader.rows or not reader.end:
        raise Doubt("no lines or no total: a kind that the schema does not cover")
    rows = [{**row, **top} for row in reader.rows]
    for row in rows:
        if refusal(row):
            raise Doubt(refusal(row))
    return rows, counts


def main(folder, out):
    out = pathlib.Path(out)
    out.mkdir(exist_ok=True)
    with open("suppliers.csv") as file:
        suppliers = {row["supplier"]: row["currency"] for row in csv.DictReader(file)}
    tables = {"documents": [["document", "status", "reason"]], "review": [["document", "page", "reason"]], "rows": [FIELDS]}
    tables |= {"counts": [["document", "page", "counted", "extracted", "explanation"]], "inventory": [["document", "pages", "page", "characters", "images", "kind"]]}
    seen = set()
    for path in sorted(pathlib.Path(folder).glob("*.pdf")):
        name = path.stem
        try:
            with pdfplumber.open(path) as pdf:
                tables["inventory"] += [[name, len(pdf.pages), p.page_number, len(p.chars), len(p.images), "picture" if p.images else "text"] for p in pdf.pages]
                rows, counts = read(name, pdf, suppliers)
            if rows[0]["number"] in seen:
                raise Doubt("this number came before")
        except Doubt as why:
            tables["documents"].append([name, "review", why])
            tables["review"].append([name, 1, why])
        except Exception as why:
            tables["documents"].append([name, "refused", f"no program opens it: {why}"])
        else:
            seen.add(rows[0]["number"])
            tables["documents"].append([name, "done", ""])
            tables["counts"] += counts
            for row in rows:
                row["reasons"] = "; ".join(f"{k}: {v}" for k, v in row["reasons"].items())
                tables["rows"].append([row[name] for name in FIELDS])
    for name, table in tables.items():
        with open(out / f"{name}.csv", "w", newline="") as file:
            csv.writer(file).writerows(table)


main(*sys.argv[1:])
