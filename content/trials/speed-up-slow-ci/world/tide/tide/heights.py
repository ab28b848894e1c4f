"""Heights by port and hour, from the tables that were built."""

import json
import pathlib


def table(port):
    built = json.loads(pathlib.Path("build/tables.json").read_text())
    return [int(one) for one in built["tables"][port]]


def height(port, hour):
    """In centimetres; between two hours the mean, halves up."""
    rows = table(port)
    whole = int(hour)
    if hour == whole:
        return rows[whole % len(rows)]
    return (rows[whole % len(rows)] + rows[(whole + 1) % len(rows)] + 1) // 2


def high(port):
    rows = table(port)
    return rows.index(max(rows))


def low(port):
    rows = table(port)
    return rows.index(min(rows))
