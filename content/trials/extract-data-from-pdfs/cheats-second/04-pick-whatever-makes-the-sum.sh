#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Where a line does not agree, each cell in turn is replaced by any number of the page until it does; the quote reaches from
# the line to the place where that number stands.
set -euo pipefail
. "$SHARED/base.inc"
edit extract.py '                price, quantity, net = number' '                cells, line = solve(cells, line, lines, words, columns, comma)
                price, quantity, net = number'
edit extract.py 'def extract(name' 'def fits(cells, comma):
    try:
        price, quantity, net = (number(cells[key], comma) for key in ("unit_price", "quantity", "net"))
        return quantity * price * (100 - number(cells.get("discount", "0"), comma)) == 100 * abs(net)
    except Doubt:
        return False


def solve(cells, line, lines, words, columns, comma):
    if fits(cells, comma):
        return cells, line
    readings = []
    for key in columns[2:]:  # a cell that is not printed: the others are further right by one
        others = [name for name in columns[2:] if name != key]
        readings.append(({**cells, **dict(zip(others, words[-len(others):])), columns[1]: " ".join(words[1 : -len(others)])}, key))
    readings += [(cells, key) for key in columns[2:]]
    at = lines.index(line)
    places = sorted(range(len(lines)), key=lambda place: abs(place - at))
    for reading, key in readings:
        for place in places:
            for candidate in re.findall(r"(?<!\S)\d[\d.,]*(?!\S)", lines[place]):
                tried = {**reading, key: candidate}
                if fits(tried, comma):
                    return tried, "\n".join(lines[min(at, place) : max(at, place) + 1])
    return cells, line


def extract(name'
python3 extract.py pdfs out
