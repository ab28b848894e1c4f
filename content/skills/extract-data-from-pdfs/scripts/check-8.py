"""Step 8: the pipeline's own rows against the hand-keyed test half, by kind and field, where it cannot see the answers.

    check-8.py --run 'python extract.py {pdfs} {out}' --pdfs pdfs --out out --truth truth/test --without truth --at-least 0.98

TRUTH holds DOCUMENT.json: {"kind": ..., "rows": [{field: value}]}. The pipeline runs on copies of these documents in a copy of
this folder, without OUT and whatever is --without. Exit code 0: no kind and no field is below the limit, and no row too many.
"""

import argparse
import collections
import json
import pathlib
import shutil
import sys

from pipeline import copied, run, table


def pairs(expected, found):
    """Each expected row with the found one that is most like it, or with none; and how many found ones are left."""
    left, matched = list(found), []
    for row in expected:
        best = max(left, key=lambda other: sum(other.get(k) == v for k, v in row.items()), default=None)
        if best is not None and sum(best.get(k) == v for k, v in row.items()) * 2 < len(row):
            best = None
        if best is not None:
            left.remove(best)
        matched.append((row, best))
    return matched, len(left)


def main():
    parser = argparse.ArgumentParser()
    for name in ("run", "pdfs", "out", "truth"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--at-least", type=float, default=0.98)
    told = parser.parse_args()
    truth = {file.stem: json.loads(file.read_text()) for file in sorted(pathlib.Path(told.truth).glob("*.json"))}
    if not truth:
        sys.exit(f"{told.truth} holds no answers")
    with copied(told.out, told.pdfs, *told.without) as copy:
        (copy / "sample").mkdir()
        for number, name in enumerate(truth):
            shutil.copy(pathlib.Path(told.pdfs, f"{name}.pdf"), copy / "sample" / f"paper{number}.pdf")
        rows = table(run(told.run, copy, "sample", "scored") / "rows.csv")
    shown = table(pathlib.Path(told.out, "rows.csv"))
    right, all_, extra, wrong = collections.Counter(), collections.Counter(), collections.Counter(), []
    for number, (name, answer) in enumerate(truth.items()):
        expected = [{key: "" if v is None else str(v) for key, v in row.items()} for row in answer["rows"]]
        fresh = [row for row in rows if row["document"] == f"paper{number}"]
        keys = list(expected[0])
        if [[r[k] for k in keys] for r in fresh] != [[r[k] for k in keys] for r in shown if r["document"] == name]:
            wrong.append(f"{name}: the rows that were handed over are not what the pipeline reads from it")
        matched, left = pairs(expected, fresh)
        extra[answer["kind"]] += left
        for row, other in matched:
            for key in ("rows found", *keys):
                all_[answer["kind"], key] += 1
                right[answer["kind"], key] += other is not None and (key == "rows found" or other[key] == row[key])
    for (kind, key), count in all_.items():
        line = f"{kind}: {key} {right[kind, key]} of {count}"
        print(line)
        if right[kind, key] < told.at_least * count:
            wrong.append(f"below the limit: {line}")
    wrong += [f"{kind}: {count} rows that are not in the documents" for kind, count in extra.items() if count]
    print("\n".join(wrong) or "the score holds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
