"""What checks 7 and 8 share: whether a document bears a row out."""

import calendar
import re
from decimal import Decimal
from pathlib import Path

import tables


def bears_out(folder, document, row, key, values):
    """Why a document of this folder does not bear the row out (key, and each value in a usual form), or nothing."""
    path = Path(folder, Path(document or "none").name)
    if not path.is_file():
        return f"no document {document!r} in {folder}"
    text = path.read_text(encoding="utf-8", errors="replace")
    if not re.search(rf"(?<![\w-]){re.escape(row[key])}(?![\w-])", text):
        return f"{document} says nothing of {row[key]}"
    numbers = {word.strip("()-+.,;:\u2212\u20ac$") for word in text.split()}
    for value in values:
        plain = f"{abs(Decimal(value)):.2f}"
        grouped = f"{abs(Decimal(value)):,.2f}"
        german = grouped.translate({44: 46, 46: 44})
        if not numbers & {plain, grouped, german}:
            return f"{document} does not hold {value}"
    return ""


def names_period(folder, document, period):
    """Why a document does not name this period (a month in a usual form, or else the period's own text), or nothing."""
    text = Path(folder, Path(document).name).read_text(encoding="utf-8", errors="replace")
    forms = [re.escape(period)]
    if month := re.fullmatch(r"(\d{4})-(\d\d)", period):
        year, number = month.groups()
        name = calendar.month_name[int(number)]
        forms += [rf"{number}[./]{year}", rf"{number}/\d\d/{year}", rf"({name}|{name[:3]}\.?)( \d\d?,)? {year}"]
    return "" if re.search("|".join(forms), text) else f"{document} does not speak of {period}"


def uncorrected(files, mapping, row, target):
    """What a cell would be without corrections."""
    line = next(line for line in mapping if line["target"] == target and line["source_file"] == row["source_file"])
    record = files[row["source_file"]][1][int(row["source_row"]) - 1]
    return tables.convert(line["conversion"], record[line["source_column"]])
