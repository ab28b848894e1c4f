#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
set -euo pipefail
. "$SCRIPTS/work.inc"
before
cat > merge.py <<'PY'
"""Makes out/ from data/raw/ and corrections.csv, with pandas."""
from decimal import Decimal
from pathlib import Path

import pandas as pd

RAW = Path("data/raw")
COLUMNS = ["source_file", "source_row", "invoice", "customer_id", "customer", "country", "date", "delivered", "item", "quantity"]
COLUMNS += ["unit_price", "amount", "card"]
OUT = Path("out")
OUT.mkdir(exist_ok=True)


def read(name, **how):
    return pd.read_csv(RAW / name, dtype=str, keep_default_na=False, **how)


def euros(texts, thousands, mark):
    negative = texts.str.contains(r"\(|-", regex=True)
    bare = texts.str.replace(r"[()\-]", "", regex=True).str.replace(thousands, "", regex=False)
    values = bare.str.replace(mark, ".", regex=False).map(Decimal)
    return values.where(~negative, -values)


def frame(name, names, **how):
    table = read(name, **how)
    table.insert(0, "source_file", name)
    table.insert(1, "source_row", range(1, len(table) + 1))
    number = next((column for column, called in names.items() if called == "invoice"), None)
    for fix in corrections[corrections.source_file == name].itertuples():
        fits = table.index[(table[number] == fix.record) & (table[fix.column] == fix.old)]
        if len(fits) != 1:
            raise SystemExit(f"{name}: {fix.column} of {fix.record} is no longer {fix.old}")
        table.at[fits[0], fix.column] = fix.new
    fields = [column for column in table if column not in ("source_file", "source_row")]
    table["copy_of"] = table.groupby(fields, sort=False)["source_row"].transform("first")
    return table.rename(columns=names)


def name_key(names):
    bare = names.str.lower().str.split().str.join(" ")
    return bare.str.replace(r" (gmbh|ag|ltd)$", "", regex=True)


corrections = pd.read_csv("corrections.csv", dtype=str, keep_default_na=False)
customers = read("customers.csv")
customers = customers[customers["id"] != ""]

north = frame("north.csv", {"Invoice": "invoice", "Date": "date", "Item": "item", "Qty": "quantity", "Unit Price": "unit_price", "Amount": "amount", "Card": "card"}, encoding="utf-8-sig")
north["key"] = north["Customer"].str.strip()
north["is_sale"] = True
south = frame("south.csv", {"Beleg": "invoice", "Datum": "date", "Artikel": "item", "Menge": "quantity", "Preis": "unit_price", "Betrag": "amount", "Karte": "card"}, encoding="cp1252", sep=";", skiprows=1)
south["key"] = south["Kunde"].str.extract(r"^K-(.*)$")[0].fillna("")
south["is_sale"] = south["invoice"] != "Summe"
web = frame("web.csv", {"order": "invoice", "sku": "item", "qty": "quantity", "price": "unit_price", "net": "amount"}, encoding="utf-16", sep="\t")
typed = web["customer"].str.strip()
by_name = pd.DataFrame({"name": name_key(customers["name"]), "id": customers["id"]}).drop_duplicates("name", keep=False)
found = pd.DataFrame({"name": name_key(web["name"])}).merge(by_name, on="name", how="left", validate="many_to_one")
web["key"] = typed.str.replace(r"^[Kk]-?", "", regex=True).where(typed != "", found["id"].fillna(""))
web["is_sale"] = typed != "TEST"

merged, rejected, duplicates = [], [], []
for table, form, marks in ((north, "%Y-%m-%d", (",", ".")), (south, "%d.%m.%Y", (".", ",")), (web, "%m/%d/%Y", (",", "."))):
    name = table["source_file"].iat[0]
    out = table[~table["is_sale"]]
    rejected.append(out[["source_file", "source_row"]].assign(reason="a monthly sum" if name == "south.csv" else "a test"))
    sales = table[table["is_sale"]]
    twice = sales["copy_of"] != sales["source_row"]
    duplicates.append(sales[twice][["source_file", "source_row", "copy_of"]])
    sales = sales[~twice].drop(columns=["customer", "name"], errors="ignore")
    for column in ("unit_price", "amount"):
        values = euros(sales[column], *marks)
        sales[column] = (values / 100 if name == "web.csv" else values).map("{:.2f}".format)
    for column in ("date", "delivered"):
        sales[column] = pd.to_datetime(sales[column], format=form).dt.strftime("%Y-%m-%d") if column in sales else ""
    sales = sales.merge(customers, left_on="key", right_on="id", how="left", validate="many_to_one", indicator=True)
    matched = sales["_merge"] == "both"
    sales = sales.rename(columns={"id": "customer_id", "name": "customer"}).fillna("")
    sales[~matched][COLUMNS].to_csv(OUT / f"unmatched-{name}", index=False)
    merged.append(sales[matched][COLUMNS])
    print(name, len(table), "=", matched.sum(), "+", (~matched).sum(), "+", twice.sum(), "+", len(out))
    if len(table) != len(sales) + twice.sum() + len(out):
        raise SystemExit(f"{name} does not add up")
pd.concat(merged).to_csv(OUT / "merged.csv", index=False)
pd.concat(rejected).to_csv(OUT / "rejected.csv", index=False)
pd.concat(duplicates).to_csv(OUT / "duplicates.csv", index=False)
PY
python3 merge.py
after
