"""Marks: small texts to HTML, with tables. Read by Python 3.6 and later."""


def to_html(text):
    return "\n".join(block(one) for one in text.strip().split("\n\n")) + "\n"


def block(text):
    start = text[:2]
    if start == "# ":
        return "<h1>%s</h1>" % text[2:]
    if start == "| ":
        return table(text.split("\n"))
    return "<p>%s</p>" % text.replace("\n", " ")


def table(lines):
    rows = [line.strip("| ").split(" | ") for line in lines]
    return "<table>%s</table>" % "".join("<tr>%s</tr>" % "".join("<td>%s</td>" % cell for cell in row) for row in rows)
