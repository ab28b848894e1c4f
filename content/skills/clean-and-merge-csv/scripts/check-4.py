"""Step 4: the rows near the border came out as a person said, and no other match is a guess.

    check-4.py --column customer_id --labelled labelled.csv --key customers.csv:id --pair web.csv:customer=id
               --pair web.csv:name=name --bare '^k-?(?=[0-9])' --bare ' (gmbh|ltd)$' [web.csv:17=00124 web.csv:33= ...]

labelled.csv: source_file,source_row,is (empty: must stay unmatched). The pairs on the command line are those that the
person kept back, so that rules cannot be bent to the list. Where rows are joined to a table by texts, --key is its key,
each --pair a column and the one that it is compared with (the first that is filled counts), and --bare what the signed
rules leave out of both, after case and spaces. A match that needs more, and an unmatched row that needs no more, is for
a person to label; a label holds for all rows of its file with that text.
"""

import argparse
import collections
import re
import sys

import tables


def bare(text, patterns):
    """The text in small letters and single spaces, without what the rules leave out."""
    text = " ".join(text.lower().split())
    for pattern in patterns:
        text = re.sub(pattern, "", text)
    return text.strip()


def lines_by_text(files, told):
    """For each column of the table that rows are joined to: the keys of the lines with a bare text."""
    table, key = told.key.split(":")
    found = {pair.rsplit("=", 1)[1]: collections.defaultdict(set) for pair in told.pair}
    for line in files[table][1]:
        for column, keys in found.items():
            if line[key].strip():
                keys[bare(line[column], told.bare)].add(line[key])
    return found


def compared(files, told):
    """Each row of out/ that a pair is told for, its bare text, and the keys of the lines that have this text, too."""
    lines = lines_by_text(files, told)
    for row in tables.output("out", "*.csv"):
        name, number, text, keys = row.get("source_file"), row.get("source_row") or "", None, set()
        if told.column not in row or name not in files or not number.isdigit():
            continue
        for pair in told.pair:
            left, right = pair.rsplit("=", 1)
            if left.split(":", 1)[0] == name and not text:
                text = bare(files[name][1][int(number) - 1][left.split(":", 1)[1]], told.bare)
                keys = lines[right][text] if text else set()
        if text is not None:
            yield row, text, keys


def guesses(told, labels):
    """Rows whose match, or whose lack of one, neither their text nor a person's label accounts for."""
    rows, said = list(compared(tables.raw_files("data/raw"), told)), collections.defaultdict(set)
    for row, text, _ in rows:
        said[row["source_file"], text].add(labels.get(f"{row['source_file']}:{row['source_row']}"))
    for row, text, keys in rows:
        place, became = f"{row['source_file']}:{row['source_row']} ({text!r})", row[told.column]
        if became in said[row["source_file"], text]:
            continue
        if became and keys != {became}:
            yield f"{place} became {became}, which no signed rule makes of it: have it labelled, or leave it"
        if not became and len(keys) == 1:
            yield f"{place} is unmatched, and is {', '.join(keys)}: mend the rule"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--column", required=True)
    for name in ("labelled", "key"):
        parser.add_argument(f"--{name}")
    for name in ("pair", "bare"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--merged", default="out/merged.csv")
    parser.add_argument("kept", nargs="*")
    told = parser.parse_args()
    became = {f"{row['source_file']}:{row['source_row']}": row[told.column] for row in tables.read(told.merged)}
    wanted = dict(pair.rsplit("=", 1) for pair in told.kept)
    for line in tables.read(told.labelled) if told.labelled else []:
        wanted[f"{line['source_file']}:{line['source_row']}"] = line["is"]
    wrong = [
        f"{place} became {became.get(place) or 'unmatched'}, and is {label or 'no match'}: mend the rule, not the row"
        for place, label in wanted.items()
        if became.get(place, "") != label
    ]
    wrong += list(guesses(told, wanted))[:20] if told.pair else []
    print("\n".join(wrong) or f"{len(wanted)} of {len(wanted)}, and no match is a guess")
    return 1 if wrong or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
