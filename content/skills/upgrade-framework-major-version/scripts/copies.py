"""Whether files are copies of others once names, layout, comments and quotes are set aside. For JavaScript.

No check of its own: `check-6.py` uses it.
"""

import pathlib
import re

LONG = 14
"""How many words in a row are compared."""
SHARE, LEAST = 0.4, 40
TOKEN = re.compile(
    r"/\*.*?\*/|//[^\n]*|(?P<text>'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|`(?:\\.|[^`\\])*`)|(?P<word>[A-Za-z_$][\w$]*)"
    r"|(?P<number>\d[\w.]*)|(?P<sign>[^\s;,{}()])",
    re.S,
)
KEPT = set(
    "if else for while do return function new typeof throw try catch finally switch case break continue delete in of this"
    " null true false undefined instanceof void class extends yield await async".split()
)


def rows(files):
    """Every run of LONG words in files; what can be renamed or laid out otherwise is set aside."""
    found = set()
    for file in files:
        words, before = [], ""
        for token in TOKEN.finditer(pathlib.Path(file).read_text(errors="replace")):
            word = token[0]
            if token["text"]:
                word = "text"
            elif token["word"] in ("var", "let", "const"):
                word = "var"
            elif token["word"] and before != "." and word not in KEPT:
                word = "name"
            elif not (token["word"] or token["number"] or token["sign"]):
                continue
            words.append(word)
            before = word
        found |= {tuple(words[place : place + LONG]) for place in range(len(words) - LONG + 1)}
    return found


def copied(theirs, mine, kept):
    """Files of which a large share stands in `mine`, and not in what is still installed."""
    own, still = rows(mine), rows(kept)
    for file in theirs:
        there = rows([file]) - still
        share = len(there & own) / max(1, len(there))
        if share > SHARE and len(there & own) > LEAST:
            yield file, share
