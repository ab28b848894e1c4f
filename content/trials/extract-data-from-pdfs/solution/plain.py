# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
import datetime
import json
import re
import sys
from decimal import Decimal

TEXTS = ("document", "quote", "supplier", "number", "item")
FIELDS = ["document", "page", "quote", "supplier", "number", "date", "due", "item", "quantity", "unit_price", "net", "currency", "reasons"]


def refusal(row):
    """Why a row is refused; empty where it is sound."""
    if list(sorted(row)) != sorted(FIELDS):
        return "other fields"
    for name in FIELDS[:-1]:
        value = row[name]
        if value is None:
            if not row["reasons"].get(name):
                return f"{name} is empty without a reason"
        elif name in TEXTS and not str(value).strip():
            return f"{name} is blank"
        elif name in ("unit_price", "net") and not (isinstance(value, str) and re.fullmatch(r"-?[0-9]+[.][0-9]{2}", value)):
            return f"{name} is no money: {value!r}"
        elif name == "quantity" and not re.fullmatch("[0-9]+", str(value)):
            return "quantity"
        elif name == "currency" and value not in ("EUR", "GBP"):
            return "currency"
        elif name in ("date", "due"):
            try:
                datetime.date.fromisoformat(value)
            except (TypeError, ValueError):
                return f"{name} is no date: {value!r}"
    return ""


def cents(text):
    return Decimal(text)


if __name__ == "__main__":
    row = json.load(sys.stdin)
    why = refusal(row)
    if why:
        sys.exit(why)
    print(json.dumps(row))
