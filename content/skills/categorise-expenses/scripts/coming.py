"""What may come next: more records in the form of the exports, other balances, an invented month."""

import codecs
import collections
import datetime
import re
from decimal import Decimal
from pathlib import Path

import books


def home(row, tree):
    """The export that holds the record of a row."""
    for path in sorted(Path(tree, "exports").iterdir(), reverse=True):
        text, _ = books.decoded(path)
        if row["raw"] and row["raw"] in text:
            return path
    return None


def export(tree, like, raws, name):
    """Write records as one more export, in the form of the export in which `like` stands."""
    path = home(like, tree)
    text, encoding = books.decoded(path)
    before = [text.find(row["raw"]) for row in books.rows(tree).values() if row["raw"]]
    head = text[: min(place for place in before if place >= 0)]
    end = "\r\n" if "\r\n" in text else "\n"
    new = path.with_name(f"{path.stem}-{name}{path.suffix}")
    new.write_bytes((head + end.join(raws) + end).encode(encoding))


def balance(tree, account, month, cents):
    """Move the closing balance of a month, and those after it."""
    lines = books.table("balances.csv", tree)
    for line in lines:
        if line["account"] == account and line["month"] >= month:
            line["closing"] = f"{Decimal(line['closing']) + Decimal(cents) / 100:.2f}"
            if line["month"] > month:
                line["opening"] = f"{Decimal(line['opening']) + Decimal(cents) / 100:.2f}"
    books.written("balances.csv", lines, tree)


def turned(text, but=frozenset()):
    """The text in words that nobody has seen; `but` the words that stay."""
    return re.sub(
        r"[^\W\d_]+", lambda word: word[0] if word[0].lower() in but else codecs.encode(word[0], "rot13"), text
    )


def wording(rows):
    """What a bank writes around the shops: words in the texts of three categories or more."""
    homes = collections.defaultdict(set)
    for row in rows.values():
        if row["category"] not in ("unknown", "transfer"):
            for word in re.findall(r"[^\W\d_]+", row["text"].lower()):
                homes[word].add(row["category"])
    return {word for word, categories in homes.items() if len(categories) > 2}


def returned(row):
    """The record of a row with the money going the other way."""
    whole, cents = divmod(abs(row["amount"]), 100)
    amount = "[.,' ]?".join(str(whole)) + f"[.,]{cents:02}"
    return re.sub(
        rf"-?(?<!\d)(?<!\d[.,]){amount}(?!\d)",
        lambda found: found[0][1:] if found[0][0] == "-" else f"-{found[0]}",
        row["raw"],
    )


def later(row, raw, month):
    """The record of a row in that month."""
    day = datetime.date.fromisoformat(row["date"])
    for form in books.DATES:
        raw = raw.replace(
            day.strftime(form), datetime.date(*map(int, month.split("-")), min(day.day, 28)).strftime(form)
        )
    return raw


def next_month(tree, reworded, back=()):
    """One more month: the last one's records a month later, those of `reworded` (by id) with that text. Its name.

    What is `back`, by id, comes back in that month.
    """
    there = books.rows(tree)
    last = max(row["date"][:7] for row in there.values())
    year, month = map(int, last.split("-"))
    coming = f"{year + month // 12}-{month % 12 + 1:02}"
    lines = books.table("balances.csv", tree)
    for account in sorted({row["account"] for row in there.values()}):
        mine = {name: row for name, row in there.items() if row["account"] == account and row["date"][:7] == last}
        raws = [
            later(row, row["raw"], coming).replace(row["text"], reworded.get(name, row["text"]))
            for name, row in mine.items()
        ]
        moved = sum(row["amount"] for row in mine.values())
        for row in (there[name] for name in back if there[name]["account"] == account):
            raws.append(later(row, returned(row), coming))
            moved -= row["amount"]
        if mine:
            export(tree, next(iter(mine.values())), raws, "coming")
        closing = next((line["closing"] for line in lines if (line["account"], line["month"]) == (account, last)), "0")
        after = f"{Decimal(closing) + Decimal(moved) / 100:.2f}"
        lines.append({"account": account, "month": coming, "opening": closing, "closing": after})
    books.written("balances.csv", lines, tree)
    return coming
