"""python3 scripts/close_quarter.py 2024-Q1 FILE: what is owed for one quarter; stops at a bad line."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from books import engine  # noqa: E402

if __name__ == "__main__":
    engine.STRICT = True
    wanted, path = sys.argv[1:]
    try:
        postings = [engine.post(line) for line in engine.parse(pathlib.Path(path).read_text())]
    except engine.BadLine as error:
        sys.exit(f"stopped: {error}")
    of_quarter = [one for one in postings if engine._quarter(one.day) == wanted]
    print(wanted, engine._owed(of_quarter), f"rates of {engine.RATES_AS_OF}")
