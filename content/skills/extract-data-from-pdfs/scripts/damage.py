"""Copies of a PDF with the texts of two rows changed in the file itself. Needs pypdfium2, which pdfplumber brings."""

import ctypes
import re

import pypdfium2.raw as pdfium


def lines_of(page):
    """The text objects of a page with their texts: lines from the top, in each from left to right."""
    layer, lines = page.get_textpage(), {}
    for thing in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT]):
        size = pdfium.FPDFTextObj_GetText(thing.raw, layer.raw, None, 0)
        buffer = ctypes.create_string_buffer(size)
        pdfium.FPDFTextObj_GetText(thing.raw, layer.raw, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
        text = buffer.raw[: size - 2].decode("utf-16-le").strip()
        lines.setdefault(round(thing.get_matrix().f), []).append((thing.get_matrix().e, thing, text))
    ordered = [sorted(line, key=lambda one: one[0]) for _, line in sorted(lines.items(), reverse=True)]
    return [[(thing, text) for _, thing, text in line] for line in ordered]


def put(thing, text):
    coded = (text + "\0").encode("utf-16-le")
    pdfium.FPDFText_SetText(thing.raw, (ctypes.c_ushort * (len(coded) // 2)).from_buffer_copy(coded))


def place_in(thing, text, other):
    """Put another line's text here; it ends where it ended if the two texts of the column ended there together."""
    right, ends = thing.get_bounds()[2], abs(thing.get_bounds()[2] - other.get_bounds()[2]) < 1
    put(thing, text)
    if ends:
        matrix = thing.get_matrix()
        matrix.e += right - thing.get_bounds()[2]
        thing.set_matrix(matrix)


def cells(line, value):
    """The texts of a line that are this number, however it is written."""
    digits = re.sub(r"\D", "", value)
    return [(t, s) for t, s in line if re.fullmatch(r"[(−-]?[\d.,' ]+[)−-]?", s) and re.sub(r"\D", "", s) == digits]


def change(page, how, line, after, values, row):
    """Change two lines of a page. False where their texts do not allow it."""
    if how == "rewritten":
        for thing, text in line + after:
            put(thing, text)
    elif how == "swapped":
        thing, text = cells(line, row[values[0]])[0]
        pair = next((p for p in range(len(text) - 1) if text[p : p + 2].isdigit() and text[p] != text[p + 1]), None)
        if pair is None:
            return False
        put(thing, text[:pair] + text[pair + 1] + text[pair] + text[pair + 2 :])
    elif how == "moved":
        found = cells(line[1:], row[values[-1]])
        if len(found) != 1:
            return False
        moved = found[0][0]
        matrix = moved.get_matrix()
        matrix.f = page.get_mediabox()[1] + 20
        moved.set_matrix(matrix)
        page.remove_obj(moved)  # and put in again as the last of its page, so that the row stays one text
        page.insert_obj(moved)
    elif how == "exchanged":  # but for the first cell: it may be the number of the line
        for (thing, text), (other, instead) in zip(line[1:], after[1:]):
            place_in(thing, instead, other)
            place_in(other, text, thing)
    else:
        for (other, text), (thing, _) in zip(line, after):
            place_in(thing, text, other) if how == "doubled" else page.remove_obj(thing)
    page.gen_content()
    return True


def damaged(pdf, rows, how, values):
    """The place of the first of the two rows that were changed in an open document; None where none can be."""
    for place, (row, after) in enumerate(zip(rows, rows[1:])):
        page = pdf[int(row["page"]) - 1]
        lines = lines_of(page)
        first, second = ([n for n, line in enumerate(lines) if cells(line, r[values[0]])] for r in (row, after))
        if row["page"] != after["page"] or len(first) != 1 or len(second) != 1 or second[0] != first[0] + 1:
            continue
        line, below = lines[first[0]], lines[second[0]]
        if len(line) == len(below) and change(page, how, line, below, values, row):
            return place
    return None
