"""What things cost."""

import marks

from lib import price

ROWS = [("Mug", "19.99"), ("Cup", "4.35"), ("Jug", "0.29")]


def html():
    rows = "\n".join("| %s | %s |" % (name, price.total(one, 3)) for name, one in ROWS)
    return marks.to_html("# Three of each\n\n" + rows)
