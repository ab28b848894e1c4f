# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""extract.py FOLDER OUT"""

import csv
import logging
import pathlib
import re
import sys
from decimal import Decimal, InvalidOperation

import pdfplumber
from pydantic import ValidationError

from schema import Row

logging.disable(logging.WARNING)
AMOUNT = r"-?\d[\d.,]*\d-?"
ROW = re.compile(rf"^(?:\d{{1,4}}|[A-Z]-\d{{3}}) .+ ({AMOUNT})$")
TITLES = {"Pos": "code", "Code": "code", "Art.": "code", "Item": "item", "Bezeichnung": "item", "Qty": "quantity", "Menge": "quantity"}
TITLES |= {"Price": "unit_price", "Preis": "unit_price", "Disc.": "discount", "Amount": "net", "Betrag": "net"}
FIELDS = [*Row.model_fields]


class Doubt(Exception):
    """Why a person has to look: page and reason."""


def number(text, comma):
    sign = -1 if text.startswith("-") or text.endswith("-") else 1
    plain = text.strip("-")
    try:
        return sign * Decimal(plain.replace(".", "").replace(",", ".") if comma else plain.replace(",", ""))
    except InvalidOperation:
        raise Doubt(1, f"rule number: {text!r} is none") from None


def iso(text):
    return "-".join(reversed(text.split("."))) if "." in text else text


def head(lines, suppliers):
    supplier = lines[0] if lines and lines[0] in suppliers else None
    text = "\n".join(lines)
    name = re.search(r"^(?:INVOICE|CREDIT NOTE|Statement|Rechnung Nr\.) (\S+)$", text, re.M)
    date = re.search(r"(?:Invoice date|Issued|Date|Datum) (\S+)", text)
    due = re.search(r"(?:Due date|Payment due|Payable by|Faellig) (\S+)", text)
    if not (supplier and name and date):
        raise Doubt(1, "a kind that the schema does not cover")
    return {
        "supplier": supplier, "number": name[1], "date": iso(date[1]), "due": iso(due[1]) if due else None,
        "currency": suppliers[supplier], "reasons": {} if due else {"due": "not on the page"},
    }  # fmt: skip


def extract(name, pdf, suppliers):
    texts = []
    for page in pdf.pages:
        if not page.chars or any(i["width"] * i["height"] > 0.8 * page.width * page.height for i in page.images):
            raise Doubt(page.page_number, "a picture: no recognition that we trust")
        texts.append(page.extract_text(use_text_flow=True).splitlines())
    top = head(texts[0], suppliers)
    comma, credit = "Rechnung" in texts[0][1], "CREDIT NOTE" in texts[0][1]
    rows, counts, columns = [], [], None
    total = part = Decimal(0)
    carried = None
    ended = False
    for place, lines in enumerate(texts, 1):
        before = len(rows)
        for line in lines:
            words = line.replace("Disc. %", "Disc.").split()
            if len(words) > 3 and all(word in TITLES for word in words):
                columns = [TITLES[word] for word in words]
                continue
            if ROW.match(line) and columns:
                after = len(columns) - 2
                cells = dict(zip(columns, [words[0], " ".join(words[1:-after]), *words[-after:]]))
                price, quantity, net = number(cells["unit_price"], comma), number(cells["quantity"], comma), number(cells["net"], comma)
                worth = quantity * price * (100 - Decimal(cells.get("discount", 0))) / 100
                if abs(net) != worth or net < 0 and not credit:
                    raise Doubt(place, f"rule line: {line}")
                net = -abs(net) if credit else net
                rows.append({"document": name, "page": place, "quote": line, **top, "item": cells["item"], "quantity": str(quantity), "unit_price": f"{price:.2f}", "net": f"{net:.2f}"})
                total, part = total + net, part + net
                continue
            sum_ = re.match(rf"^(\D+?|VAT 20%|MwSt 19%) ({AMOUNT})$", line)
            if not sum_:
                if rows and rows[-1]["page"] == place and comma:  # a description that goes on
                    rows[-1]["item"] += " " + line
                    rows[-1]["quote"] += "\n" + line
                elif "Section" in line:
                    part = Decimal(0)
                continue
            label, value = sum_[1], number(sum_[2], comma)
            value = -abs(value) if credit else value
            if label in ("Subtotal", "Zwischensumme"):
                right = value == total
            elif label in ("VAT 20%", "MwSt 19%"):
                tax = value
                right = value == (total * int(re.search(r"\d+", label)[0]) / 100).quantize(Decimal("0.01"))
            elif label.startswith(("Total", "Gesamt")):
                right, ended = value == total + tax, True
            elif label.startswith("Statement total"):
                right, ended = value == total, True
            elif label == "Section total":
                right = value == part
            elif label == "Carried forward":
                right, carried = value == total, value
            elif label == "Brought forward":
                right = value == carried
            else:
                raise Doubt(place, f"an unknown line: {line}")
            if not right:
                raise Doubt(place, f"rule sum: {line}")
        lined = sum(bool(ROW.match(line)) for line in pdf.pages[place - 1].extract_text().splitlines())
        counts.append({"document": name, "page": place, "counted": lined, "extracted": len(rows) - before, "explanation": ""})
        if lined != len(rows) - before:
            raise Doubt(place, f"rule rows: {lined} lines, {len(rows) - before} rows")
    if not ended or not rows:
        raise Doubt(len(texts), "rule end: no total at the end")
    for row in rows:
        try:
            Row.model_validate(row)
        except ValidationError as error:
            raise Doubt(row["page"], f"rule schema: {error}") from error
    return rows, counts


def write(place, fields, rows):
    with open(place, "w", newline="") as file:
        writer = csv.DictWriter(file, fields)
        writer.writeheader()
        writer.writerows(rows)


def main(folder, out):
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    with open("suppliers.csv") as file:
        suppliers = {row["supplier"]: row["currency"] for row in csv.DictReader(file)}
    rows, documents, review, counts, inventory, seen = [], [], [], [], [], {}
    for path in sorted(pathlib.Path(folder).glob("*.pdf")):
        name = path.stem
        try:
            pdf = pdfplumber.open(path)
            pages = pdf.pages
            if not pages:
                raise ValueError("no pages")
        except Exception as error:
            documents.append({"document": name, "status": "refused", "reason": f"cannot be opened: {error}"})
            continue
        for page in pages:
            kind = "scan" if not page.chars else "scan with text" if page.images else "digital"
            inventory.append({"document": name, "pages": len(pages), "page": page.page_number, "characters": len(page.chars), "images": len(page.images), "kind": kind})
        try:
            found, counted = extract(name, pdf, suppliers)
            key = (found[0]["supplier"], found[0]["number"])
            if key in seen:
                raise Doubt(1, f"rule number: {key[1]} came before, in {seen[key]}")
            seen[key] = name
        except Doubt as doubt:
            page, reason = doubt.args
            documents.append({"document": name, "status": "review", "reason": reason})
            review.append({"document": name, "page": page, "reason": reason})
            continue
        documents.append({"document": name, "status": "done", "reason": ""})
        rows += [{**row, "reasons": "; ".join(f"{k}: {v}" for k, v in row["reasons"].items())} for row in found]
        counts += counted
    write(out / "rows.csv", FIELDS, rows)
    write(out / "documents.csv", ["document", "status", "reason"], documents)
    write(out / "review.csv", ["document", "page", "reason"], review)
    write(out / "counts.csv", ["document", "page", "counted", "extracted", "explanation"], counts)
    write(out / "inventory.csv", ["document", "pages", "page", "characters", "images", "kind"], inventory)


main(*sys.argv[1:])
