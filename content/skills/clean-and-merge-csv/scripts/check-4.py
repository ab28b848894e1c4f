"""Step 4: the rows that a person labelled came out as that person said.

    check-4.py --column customer_id [--labelled labelled.csv] [web.csv:17=00124 web.csv:33= ...]

labelled.csv: source_file,source_row,is (empty: must stay unmatched). The pairs on the command line are those that the
person kept back, so that rules cannot be bent to the list.
"""

import argparse
import sys

import tables


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--column", required=True)
    parser.add_argument("--labelled")
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
    print("\n".join(wrong) or f"{len(wanted)} of {len(wanted)}")
    return 1 if wrong or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
