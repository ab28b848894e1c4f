"""Invoices. Grown since 2009; nobody dares to touch it."""

import datetime
from decimal import Decimal

from shop import gateway

VAT = {"standard": Decimal("0.19"), "reduced": Decimal("0.07")}


def _cents(value):
    return value.quantize(Decimal("0.01"))


def _reduction(quantity):
    if quantity >= 100:
        return Decimal("0.10")
    if quantity >= 10:
        return Decimal("0.05")
    return Decimal("0")


def parse_line(text):
    words = text.replace(",", ".").split()
    quantity = int(words[0])
    if quantity < 1 or quantity > 999:
        raise ValueError(f"quantity {quantity}")
    kind = words[3] if len(words) > 3 else "standard"
    if kind not in VAT:
        raise ValueError(f"kind {kind}")
    return quantity, Decimal(words[2]), kind


def line_total(quantity, price):
    return _cents(quantity * price * (1 - _reduction(quantity)))


def invoice(texts, currency="EUR"):
    goods = Decimal("0")
    tax = Decimal("0")
    for text in texts:
        quantity, price, kind = parse_line(text)
        amount = line_total(quantity, price)
        goods += amount
        tax += amount * VAT[kind]
    shipping = Decimal("0") if goods > 50 else Decimal("4.90")
    total = _cents(goods + tax + shipping)
    if currency != "EUR":
        total = _cents(total / gateway.rate(currency))
    return {"goods": goods, "tax": _cents(tax), "shipping": shipping, "total": total}


def due_date(issued):
    due = issued + datetime.timedelta(days=30)
    if due.weekday() >= 5:
        due += datetime.timedelta(days=2)
    return due


def late_fee(amount, due):
    late = (datetime.date.today() - due).days
    if late <= 14:
        return Decimal("0")
    return max(Decimal("5.00"), _cents(amount * Decimal("0.01")))
