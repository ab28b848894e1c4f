"""What the checks share: the list of the originals, the plan, and which files belong together."""

import csv
import re
import sys
import unicodedata
from pathlib import Path, PurePosixPath


def table(path, columns):
    """The rows of a table with tabs; one that is missing or has other columns ends the check."""
    if not Path(path).is_file():
        sys.exit(f"{path} is missing")
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    if not rows or any(not isinstance(row.get(name), str) for row in rows for name in columns):
        sys.exit(f"{path} has not the columns {', '.join(columns)}, or no rows")
    return rows


def below(path, source):
    """A path as it is below the source; one from elsewhere ends the check."""
    if PurePosixPath(source) not in PurePosixPath(path).parents:
        sys.exit(f"{path} does not begin with {source}: give --source as it stands in the list")
    return str(PurePosixPath(path).relative_to(PurePosixPath(source)))


def listed(path, source):
    """Path below the source to hash, from a list that `shasum -a 256` or `sha256sum` wrote."""
    hashes = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        name = line.lstrip("\\")[66:]
        if line.startswith("\\"):  # so they write a name with a backslash or a line break in it
            name = re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), name)
        hashes[below(name, source)] = line.lstrip("\\")[:64]
    if not hashes:
        sys.exit(f"{path} is empty")
    return hashes


def fold(text):
    """A name as a disk sees it that does not tell capitals apart."""
    return unicodedata.normalize("NFC", text).casefold()


def stem(path):
    """The name up to its ending; of a sidecar such as IMG_1.CR3.xmp up to both."""
    name = PurePosixPath(path)
    inner = PurePosixPath(name.stem)
    return inner.stem if name.suffix.lower() in (".xmp", ".aae") and 3 <= len(inner.suffix) <= 5 else name.stem


def groups(paths):
    """Files of one folder with one name up to the ending."""
    found = {}
    for path in paths:
        found.setdefault((str(PurePosixPath(path).parent), fold(stem(path))), []).append(path)
    return list(found.values())
