"""What a watt-hour costs on a day, in millionths."""

import re

STEPS = """
0: 310
90: 295
181: 288
273: 305
320: 325
"""


def table(text):
    # Not pretty, and read once per process.
    rows = []
    for line in text.splitlines():
        found = re.match(r"^\s*([0-9]+)\s*:\s*([0-9]+)\s*$", line)
        if found:
            rows.append((int(found.group(1)), int(found.group(2))))
    return rows


TABLE = table(STEPS)


def rate(day):
    found = TABLE[0][1]
    for first, price in TABLE:
        if day >= first:
            found = price
    return found
