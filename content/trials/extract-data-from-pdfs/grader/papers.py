# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Makes the papers: papers.py FOLDER SEED ANSWERS.json. Same seed, same bytes."""

import datetime
import io
import json
import pathlib
import random
import sys
from decimal import Decimal as D

from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

ITEMS = ["Cable tie 200 mm", "Patch panel 24", "Rack screw M6", "Label tape 12 mm", "Desk lamp", "USB hub 4", "Toner black"]
ITEMS += ["Fuse 10 A", "Cable duct 60x40", "Wall box", "Monitor arm 2", "Keyboard DE", "Mouse pad", "Fibre cord 3 m"]
LONG = ["Fibre patch cord OM4 duplex LC to SC with strain relief 15 m", "Cabinet door perforated for rack 42 HE with lock, left, light grey"]
TITLES = ["Item", "Qty", "Price", "Amount"]
EDGES = {"Pos": 50, "Art.": 50, "Item": 90, "Bezeichnung": 90}


def english(value):
    return f"{value:,.2f}"


def german(value):
    return english(value).translate(str.maketrans(",.", ".,"))


class Paper:
    """One PDF, and its rows as they should come out."""

    def __init__(self, chance, kind, supplier, number, day, due, currency):
        self.buffer, self.chance, self.kind, self.page, self.rows = io.BytesIO(), chance, kind, 1, []
        self.head = {"supplier": supplier, "number": number, "date": day.isoformat(), "currency": currency}
        self.head["due"] = due.isoformat() if due else None
        self.canvas, self.y = canvas.Canvas(self.buffer, invariant=1), 800

    def line(self, *cells, step=14):
        """Cells are (x, text), or (x, text, True) for text that ends there."""
        self.canvas.setFont("Helvetica", 9)
        for x, text, *right in cells:
            (self.canvas.drawRightString if right else self.canvas.drawString)(x, self.y, text)
        self.y -= step

    def next_page(self):
        self.canvas.showPage()
        self.page, self.y = self.page + 1, 800

    def row(self, item, quantity, price, net):
        self.rows.append({**self.head, "page": self.page, "item": item, "quantity": str(quantity), "unit_price": f"{price:.2f}", "net": f"{net:.2f}"})
        return net

    def bytes(self):
        self.canvas.save()
        return self.buffer.getvalue()

    def draw(self, count):
        return [(self.chance.choice(ITEMS), self.chance.randint(2, 40), D(self.chance.randint(50, 9900)) / 10) for _ in range(count)]


def harbour(paper, count, sign=1, redesigned=False, off=0, signed=True, gap=False):
    """Invoices and credit notes; from June in another form, with a discount and the dates the other way round.

    Credit notes that are not `signed` print no minus: the heading alone says it. With a `gap` a quantity is not printed,
    and stands as another line's number.
    """
    head, total = paper.head, D(0)
    word = "INVOICE" if sign > 0 else "CREDIT NOTE"
    paper.line((50, "Harbour Supplies Ltd")), paper.line((50, f"{word} {head['number']}"))
    if redesigned:
        paper.line((50, f"Payment due {head['due']}"), (250, f"Issued {head['date']}"), step=28)
        titles, edges = ["Pos", "Item", "Price", "Qty", "Disc. %", "Amount"], [0, 0, 300, 350, 410, 500]
    else:
        paper.line((50, f"Invoice date {head['date']}" if sign > 0 else f"Date {head['date']}"))
        if head["due"]:
            paper.line((50, f"Due date {head['due']}"), step=28)
        titles, edges = ["Pos", "Item", "Qty", "Price", "Amount"], [0, 0, 330, 400, 500]
    paper.line(*[(EDGES[t], t) if t in EDGES else (x, t, True) for t, x in zip(titles, edges)])
    end = "-" if sign < 0 and signed else ""
    for place, (item, quantity, price) in enumerate(paper.draw(count), 1):
        lost = gap and place == 2
        quantity = count if lost else quantity
        discount = paper.chance.choice([0, 10, 20]) if redesigned else 0
        net = (sign * quantity * price * (100 - discount) / 100).quantize(D("0.01"))
        shown = english(abs(net)) + end
        numbers = [english(price), str(quantity), str(discount), shown] if redesigned else ["" if lost else str(quantity), english(price), shown]
        paper.line((50, str(place)), (90, item), *[(x, n, True) for x, n in zip(edges[2:], numbers)])
        total += paper.row(item, quantity, price, net)
    tax = (total * 20 / 100).quantize(D("0.01"))
    for label, value in (("Subtotal", total), ("VAT 20%", tax), (f"Total {head['currency']}", total + tax + off)):
        paper.line((330, label), (500, english(abs(value)) + end, True))


def keller(paper, count):
    """Another order of columns, commas, and descriptions that go on in the next line."""
    head, total = paper.head, D(0)
    day, due = ([".".join(reversed(head[name].split("-"))) for name in ("date", "due")])
    paper.line((50, "Keller GmbH")), paper.line((50, f"Rechnung Nr. {head['number']}"))
    paper.line((50, f"Datum {day}"), (250, f"Faellig {due}"), step=28)
    paper.line((50, "Art."), (90, "Bezeichnung"), (330, "Preis", True), (400, "Menge", True), (500, "Betrag", True))
    for item, quantity, price in paper.draw(count):
        more = paper.chance.choice(["", "", "halogenfrei", "RAL 7035 lichtgrau"])
        paper.line((50, str(paper.chance.randint(1000, 9999))), (90, item), (330, german(price), True), (400, str(quantity), True), (500, german(quantity * price), True), step=11 if more else 14)
        if more:
            paper.line((90, more))
        total += paper.row(f"{item} {more}".strip(), quantity, price, quantity * price)
    tax = (total * 19 / 100).quantize(D("0.01"))
    for label, value in (("Zwischensumme", total), ("MwSt 19%", tax), ("Gesamt EUR", total + tax)):
        paper.line((330, label), (500, german(value), True))


def norra(paper, count, lost=None):
    """A long statement: sections, sums carried from page to page, and texts that run into the next column."""
    head, total, part, left, section = paper.head, D(0), D(0), 0, 0
    paper.line((50, "Norra Leverans AB")), paper.line((50, f"Statement {head['number']}"))
    paper.line((50, f"Date {head['date']}"), (250, f"Payable by {head['due']}"), step=28)
    for place, (item, quantity, price) in enumerate(paper.draw(count)):
        if not left:
            if section:
                paper.line((90, "Section total"), (500, english(part), True), step=22)
            section, left, part = section + 1, paper.chance.randint(18, 60), D(0)
            paper.line((50, f"Section {section}: delivery {paper.chance.randint(100, 999)}"))
            paper.line((50, "Code"), (90, "Item"), (330, "Qty", True), (400, "Price", True), (500, "Amount", True))
        item = paper.chance.choice(LONG) if place % 9 == 4 else item
        net, left = quantity * price, left - 1
        paper.line((50, f"{chr(64 + section)}-{place + 1:03}"), (90, item), (310, str(quantity), True), (400, english(price), True), (500, english(net), True))
        paper.row(item, quantity, price, net)
        total, part = total + net, part + net
        if paper.y < 90 and place + 1 < count:
            paper.line((90, "Carried forward"), (500, english(total), True))
            if paper.page + 1 == lost:  # a page that never came: its rows are in the sums
                extra = D(paper.chance.randint(1000, 90000)) / 10
                total, part = total + extra, part + extra
            paper.next_page()
            paper.line((90, "Brought forward"), (500, english(total), True))
    paper.line((90, "Section total"), (500, english(part), True), step=22)
    paper.line((90, "Statement total EUR"), (500, english(total), True))


def scan(chance, words):
    """A picture of an invoice; `words`: with a recognised layer, wrong in one digit."""
    picture = Image.new("L", (1240, 1754), 255)
    lines = ["Harbour Supplies Ltd", "INVOICE HS-9001" if words else "INVOICE HS-9002", "Invoice date 2026-04-02", "Due date 2026-05-02"]
    lines += ["Pos Item Qty Price Amount", "1 Desk lamp 3 20.00 60.00", "2 Wall box 5 8.00 40.00", "Subtotal 100.00", "VAT 20% 20.00", "Total GBP 120.00"]
    pen = ImageDraw.Draw(picture)
    for place, text in enumerate(lines):
        pen.text((120 + chance.random(), 120 + 50 * place), text, fill=0)
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, invariant=1)
    page.drawImage(ImageReader(picture), 0, 0, 595, 842)
    if words:
        text = page.beginText(57, 780)
        text.setTextRenderMode(3)
        for place, line in enumerate(lines):
            text.setTextOrigin(57, 780 - 24 * place)
            text.textOut(line.replace("2 Wall box 5 8.00 40.00", "2 Wall box 5 8.00 46.00"))
        page.drawText(text)
    page.save()
    return buffer.getvalue()


def letter():
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, invariant=1)
    for place, text in enumerate(["Harbour Supplies Ltd", "Dear customer, from June 2026 our invoices have a new form.", "Orders above 500.00", "are delivered free."]):
        page.drawString(50, 800 - 20 * place, text)
    page.save()
    return buffer.getvalue()


def main(folder, seed, answers):
    chance, made = random.Random(seed), []
    serial = chance.randint(1000, 8000)
    plan = [("harbour", {}, 8), ("redesigned", {}, 4), ("keller", {}, 7), ("credit", {}, 3), ("statement", {}, 2), ("off", {}, 1), ("nodue", {}, 1), ("unsigned", {}, 2), ("gap", {}, 1)]
    for kind, _, count in plan:
        for which in range(count):
            serial += chance.randint(1, 9)
            day = datetime.date(2026, 6 if kind == "redesigned" else 3, 2) + datetime.timedelta(chance.randint(0, 26))
            due, rows = day + datetime.timedelta(30), chance.randint(3, 11)
            sound, why = True, ""
            if kind == "keller":
                paper = Paper(chance, kind, "Keller GmbH", f"K-{serial}", day, due, "EUR")
                keller(paper, rows)
            elif kind == "statement":
                paper = Paper(chance, kind, "Norra Leverans AB", f"NS-{serial}", day, due, "EUR")
                norra(paper, (248, 96)[which])
            elif kind in ("credit", "unsigned"):
                paper = Paper(chance, kind, "Harbour Supplies Ltd", f"HS-C{serial}", day, None, "GBP")
                harbour(paper, rows, sign=-1, signed=kind == "credit")
            else:
                paper = Paper(chance, kind, "Harbour Supplies Ltd", f"HS-{serial}", day, None if kind == "nodue" else due, "GBP")
                if kind == "off":
                    sound, why = False, "its printed total is wrong"
                if kind == "gap":
                    sound, why = False, "a quantity is missing"
                harbour(paper, rows, gap=kind == "gap", redesigned=kind == "redesigned", off=D("9.00") if kind == "off" else 0)
            made.append((paper.bytes(), {"kind": "credit" if kind == "unsigned" else kind, "sound": sound, "why": why, "rows": paper.rows}))
    paper = Paper(chance, "statement", "Norra Leverans AB", f"NS-{serial + 5}", day, due, "EUR")
    norra(paper, 140, lost=3)
    unsound = [(paper.bytes(), "a page is missing"), (scan(chance, False), "a scan"), (scan(chance, True), "a scan with a recognised layer")]
    unsound += [(letter(), "a letter"), (made[2][0][: len(made[2][0]) // 3], "a broken file")]
    again = made[5][0].replace(b"(anonymous)", b"(sent again)")
    made += [(body, {"kind": "unsound", "sound": False, "why": why, "rows": []}) for body, why in unsound]
    made.append((again, {"kind": made[5][1]["kind"], "sound": True, "why": "", "rows": made[5][1]["rows"], "twin": 5}))
    order = list(range(len(made)))
    chance.shuffle(order)
    names = {place: f"in-{number:04}" for number, place in enumerate(order, chance.randint(100, 900))}
    out = pathlib.Path(folder)
    out.mkdir(parents=True)
    facts = {}
    for place, (body, fact) in enumerate(made):
        (out / f"{names[place]}.pdf").write_bytes(body)
        facts[names[place]] = {**fact, "twin": names[fact["twin"]]} if "twin" in fact else fact
    pathlib.Path(answers).write_text(json.dumps(facts))


main(*sys.argv[1:])
