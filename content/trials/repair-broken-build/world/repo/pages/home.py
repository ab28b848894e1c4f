"""The first page."""

import marks


def html():
    return marks.to_html("# The shop\n\nMugs, cups\nand jugs.")
