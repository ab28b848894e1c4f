"""Orders as CSV, for the bookkeeper."""

COLUMNS = ("day", "customer")


def quoted(value):
    """One cell, in quotes where it must be."""
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\n') else text


def export(orders, columns=COLUMNS):
    """A line of heads, and one for each order."""
    return "\n".join(",".join(quoted(row[column]) for column in columns) for row in [dict(zip(columns, columns)), *orders])
