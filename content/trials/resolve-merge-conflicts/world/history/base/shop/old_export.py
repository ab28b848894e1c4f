"""Orders as CSV, for the bookkeeper."""


def cell(value):
    """One cell; quoted where it must be."""
    text = str(value)
    if "," in text or '"' in text:
        return '"' + text.replace('"', '""') + '"'
    return text


def export(orders):
    """One line for each order."""
    return "\n".join(",".join(cell(value) for value in (order["day"], order["customer"])) for order in orders)
