"""Step 6: the pipeline is run on damaged copies of documents that it passed, and lets none of them through.

    check-6.py --run 'python extract.py {pdfs} {out}' --pdfs pdfs --out out --value net --without truth in-0017 in-0023

Per document: an unharmed copy under another name comes out with the same rows; with two digits of an amount swapped, with
a row taken out, with a row printed in place of the next one, it is not done, and a reason is given. The pipeline runs in a
copy of this folder without OUT and whatever is --without. Needs pypdfium2, which pdfplumber brings. Exit code 0: all caught.
"""

import argparse
import csv
import ctypes
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import pypdfium2
import pypdfium2.raw as pdfium


def table(place):
    with open(place, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def texts(page):
    """The text objects of a page with their texts, by line, from left to right."""
    layer, lines = page.get_textpage(), {}
    for thing in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT]):
        size = pdfium.FPDFTextObj_GetText(thing.raw, layer.raw, None, 0)
        buffer = ctypes.create_string_buffer(size)
        pdfium.FPDFTextObj_GetText(thing.raw, layer.raw, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
        matrix = thing.get_matrix()
        lines.setdefault(round(matrix.f), []).append(
            (matrix.e, thing, buffer.raw[: size - 2].decode("utf-16-le").strip())
        )
    return [
        [(t, s) for _, t, s in sorted(line, key=lambda one: one[0])] for _, line in sorted(lines.items(), reverse=True)
    ]


def put(thing, text):
    coded = (text + "\0").encode("utf-16-le")
    pdfium.FPDFText_SetText(thing.raw, (ctypes.c_ushort * (len(coded) // 2)).from_buffer_copy(coded))


def damaged(pdf, rows, how, value):
    """Damage an open document. False where its texts do not allow it."""
    for row, after in zip(rows, rows[1:]):
        page = pdf[int(row["page"]) - 1]
        digits = re.sub(r"\D", "", row[value])
        lines = [line for line in texts(page) if any(re.sub(r"\D", "", text) == digits for _, text in line)]
        nexts = [
            line
            for line in texts(page)
            if any(re.sub(r"\D", "", t) == re.sub(r"\D", "", after[value]) for _, t in line)
        ]
        if (
            len(lines) != 1
            or len(nexts) != 1
            or len(lines[0]) != len(nexts[0])
            or digits == re.sub(r"\D", "", after[value])
        ):
            continue
        line = lines[0]
        if how == "swapped":
            thing, text = next((t, s) for t, s in line if re.sub(r"\D", "", s) == digits)
            pair = next((p for p in range(len(text) - 1) if text[p : p + 2].isdigit() and text[p] != text[p + 1]), None)
            if pair is None:
                continue
            put(thing, text[:pair] + text[pair + 1] + text[pair] + text[pair + 2 :])
        for (thing, _), (_, text) in zip(nexts[0] if how != "swapped" else [], line):
            put(thing, text) if how == "doubled" else page.remove_obj(thing)
        page.gen_content()
        return True
    return how == "unharmed"


def main():
    parser = argparse.ArgumentParser()
    for name in ("run", "pdfs", "out", "value"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("documents", nargs="+")
    told = parser.parse_args()
    passed, wrong = table(pathlib.Path(told.out, "rows.csv")), []
    with tempfile.TemporaryDirectory() as place:
        copy = pathlib.Path(place, "copy")
        shutil.copytree(
            ".", copy, symlinks=True, ignore=shutil.ignore_patterns(".git", told.out, told.pdfs, *told.without)
        )
        for how in ("unharmed", "swapped", "taken out", "doubled"):
            folder, out, names = copy / f"in-{how[:3]}", copy / f"out-{how[:3]}", {}
            folder.mkdir()
            for number, name in enumerate(told.documents, 1):
                rows = [row for row in passed if row["document"] == name]
                pdf = pypdfium2.PdfDocument(pathlib.Path(told.pdfs, f"{name}.pdf"))
                if not rows or not (how == "unharmed" or damaged(pdf, rows, how, told.value)):
                    wrong.append(
                        f"{name}: " + ("is not done" if not rows else f"cannot be {how} here: take another one")
                    )
                    continue
                pdf.save(folder / f"paper{number}.pdf")
                names[f"paper{number}"] = name
            command = told.run.replace("{pdfs}", folder.name).replace("{out}", out.name)
            said = subprocess.run(command, shell=True, cwd=copy, capture_output=True, text=True)
            if said.returncode or not (out / "documents.csv").exists():
                sys.exit(f"the pipeline broke on {how} copies:\n{said.stderr[-800:]}")
            ends = {row["document"]: row for row in table(out / "documents.csv")}
            for fresh, name in names.items():
                end = ends.get(fresh, {"status": "nowhere", "reason": ""})
                if how == "unharmed":
                    strip = [
                        {k: v for k, v in row.items() if k != "document"} for row in passed if row["document"] == name
                    ]
                    again = [
                        {k: v for k, v in r.items() if k != "document"}
                        for r in table(out / "rows.csv")
                        if r["document"] == fresh
                    ]
                    if end["status"] != "done" or again != strip:
                        wrong.append(f"{name}: a copy under another name is {end['status']}, and has not the same rows")
                elif end["status"] == "done" or not end["reason"].strip():
                    wrong.append(f"{name}, {how}: {end['status']}, reason {end['reason']!r}; no rule noticed")
    print("\n".join(wrong) or "every damage was noticed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
