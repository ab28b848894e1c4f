"""Step 6: the pipeline reads changed copies of documents that it passed as they are now, and lets no damage through.

    check-6.py --run 'python extract.py {pdfs} {out}' --pdfs pdfs --out out --value net --value quantity --without truth in-0017

One document of each layout. Of each there are six copies under another name, in which two rows were

- rewritten as they were, or exchanged: done, with what stands there now;
- damaged (two digits of the first --value swapped, a row taken out, a row printed in place of the next one): not done,
  with a reason;
- robbed of a number (the last --value is moved to the foot of its page): not done, or done with that cell empty.

The pipeline runs in a copy of this folder without OUT and whatever is --without. Exit code 0: all is as it should be.
"""

import argparse
import pathlib
import sys

import pypdfium2
from damage import damaged
from pipeline import copied, run, table

WAYS = ("rewritten", "exchanged", "swapped", "taken out", "doubled", "moved")


def wanted(how, rows, place, values):
    """The rows that a changed copy may have where it is done; None where it may not be."""
    fields = [*rows[0]] if how == "rewritten" else values
    rows = [{field: row[field] for field in fields if field != "document"} for row in rows]
    if how == "exchanged":
        rows[place], rows[place + 1] = rows[place + 1], rows[place]
    if how == "moved":
        rows[place][values[-1]] = ""
    return rows if how in ("rewritten", "exchanged", "moved") else None


def judged(how, end, found, allowed):
    """What is wrong with how one copy ended; empty where nothing is."""
    if end["status"] == "done":
        found = [{field: row[field] for field in allowed[0]} for row in found] if allowed else None
        return "" if allowed and found == allowed else "done, with other rows than it shows" if allowed else "done: no rule noticed"
    if how in ("rewritten", "exchanged"):
        return f"{end['status']} ({end['reason']}), and all on it agrees"
    return "" if end["reason"].strip() else f"{end['status']} without a reason"


def main():
    parser = argparse.ArgumentParser()
    for name in ("run", "pdfs", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--value", action="append", required=True)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("documents", nargs="+")
    told = parser.parse_args()
    passed, wrong = table(pathlib.Path(told.out, "rows.csv")), []
    rows = {name: [row for row in passed if row["document"] == name] for name in told.documents}
    wrong += [f"{name} is not done: take another one" for name in told.documents if not rows[name]]
    with copied(told.out, told.pdfs, *told.without) as copy:
        for number, how in enumerate(WAYS):
            allowed, folder = {}, copy / f"papers{number}"
            folder.mkdir()
            for turn, name in enumerate(name for name in told.documents if rows[name]):
                pdf = pypdfium2.PdfDocument(pathlib.Path(told.pdfs, f"{name}.pdf"))
                place = damaged(pdf, rows[name], how, told.value)
                if place is None:
                    wrong.append(f"{name}: no two rows of it can be {how}: take another one")
                    continue
                pdf.save(folder / f"paper{turn}.pdf")
                allowed[f"paper{turn}"] = name, wanted(how, rows[name], place, told.value)
            out = run(told.run, copy, folder.name, f"read{number}")
            ends = {row["document"]: row for row in table(out / "documents.csv")}
            for fresh, (name, may) in allowed.items():
                found = [row for row in table(out / "rows.csv") if row["document"] == fresh]
                why = judged(how, ends.get(fresh, {"status": "nowhere", "reason": ""}), found, may)
                wrong += [f"{name}, {how}: {why}"] if why else []
    print("\n".join(wrong) or "every change was read, every damage noticed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
