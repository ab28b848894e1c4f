"""No white space at the end of a line, and no tab."""

import pathlib
import sys

from clock import spend

spend("lint")
wrong = [
    f"{path}:{number}"
    for path in sorted(pathlib.Path("tide").glob("*.py"))
    for number, line in enumerate(path.read_text().splitlines(), 1)
    if line != line.rstrip() or "\t" in line
]
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
