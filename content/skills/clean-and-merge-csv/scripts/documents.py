"""What checks 7 and 8 share: whether a document bears a row out."""

from decimal import Decimal
from pathlib import Path

import tables


def bears_out(folder, document, row, key, values):
    """Why a document of this folder does not bear the row out (its key, and each value in some usual form), or nothing."""
    path = Path(folder, Path(document or "none").name)
    if not path.is_file():
        return f"no document {document!r} in {folder}"
    text = path.read_text(encoding="utf-8", errors="replace")
    if row[key] not in text:
        return f"{document} says nothing of {row[key]}"
    for value in values:
        plain = f"{abs(Decimal(value)):.2f}"
        grouped = f"{abs(Decimal(value)):,.2f}"
        german = grouped.translate({44: 46, 46: 44})
        if not any(form in text.split() or f"{form}." in text.split() for form in (plain, grouped, german)):
            return f"{document} does not hold {value}"
    return ""


def uncorrected(files, mapping, row, target):
    """What a cell would be without corrections."""
    line = next(line for line in mapping if line["target"] == target and line["source_file"] == row["source_file"])
    record = files[row["source_file"]][1][int(row["source_row"]) - 1]
    return tables.convert(line["conversion"], record[line["source_column"]])
