"""Runs a pipeline where it sees neither answers nor its own earlier output."""

import contextlib
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile


def table(place):
    with open(place, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@contextlib.contextmanager
def copied(*without):
    """A copy of this folder without history and what is named, for as long as it is asked."""
    with tempfile.TemporaryDirectory() as place:
        ignored = shutil.ignore_patterns(".git", *without)
        yield pathlib.Path(shutil.copytree(".", pathlib.Path(place, "copy"), symlinks=True, ignore=ignored))


def run(command, copy, pdfs, out):
    """Run the command in the copy. Ends the check where it breaks, for then nothing can be said."""
    filled = command.replace("{pdfs}", pdfs).replace("{out}", out)
    said = subprocess.run(filled, shell=True, cwd=copy, capture_output=True, text=True)
    if said.returncode or not (copy / out / "rows.csv").exists() or not (copy / out / "documents.csv").exists():
        sys.exit(f"the pipeline breaks on {pdfs}:\n{said.stderr[-800:]}")
    return copy / out
