"""Holds the reason of each row against the files that it names."""

import re

import books


def wrong(rows):
    """Rows whose reason is not one."""
    rules = sorted(books.table("rules.csv"), key=lambda line: int(line["priority"]))
    labels = [line["category"] for line in books.table("labelled.csv")]
    answers = {line["category"] for line in books.table("decisions.csv")}
    for name, row in rows.items():
        kind, *rest = (row["reason"] or "").split() or [""]
        first = next((line for line in rules if re.search(line["pattern"], row["text"], re.IGNORECASE)), None)
        good = row["category"] == "unknown" and kind == "" or kind == row["category"] == "transfer"
        if kind == "rule":
            good = first is not None and [first["priority"], first["category"]] == [*rest, row["category"]]
        elif kind == "neighbours":
            near = [labels[int(one) - 1] for one in rest if one.isdigit() and 0 < int(one) <= len(labels)]
            good = len(near) == len(rest) > 1 and 2 * near.count(row["category"]) > len(near)
        elif kind == "decision":
            good = row["category"] in answers
        elif kind == "refund":
            bought = rows.get(row["reason"].removeprefix("refund ").strip(), row)
            good = bought["category"] == row["category"] and bought["amount"] < 0 < row["amount"]
        if not good:
            yield f"row {name} is {row['category']} because of {row['reason']!r}, which does not make it so"
