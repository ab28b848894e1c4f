"""Marks: small texts to HTML."""


def to_html(text):
    blocks = []
    for block in text.strip().split("\n\n"):
        if block.startswith("# "):
            blocks.append("<h1>%s</h1>" % block[2:])
        else:
            blocks.append("<p>%s</p>" % block.replace("\n", " "))
    return "\n".join(blocks) + "\n"
