"""python3 -m books [--strict] [--quarter] FILE"""

import argparse
import logging
import sys

from books import engine


def main(words):
    """Post a file; 1 where a bad line stops it."""
    parser = argparse.ArgumentParser(prog="books")
    parser.add_argument("file")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--quarter", action="store_true")
    told = parser.parse_args(words)
    logging.basicConfig(format="%(name)s: %(message)s", stream=sys.stdout, force=True)
    engine.STRICT = told.strict
    with open(told.file) as file:
        text = file.read()
    try:
        postings = [engine.post(line) for line in engine.parse(text)]
    except engine.BadLine as error:
        print(f"stopped: {error}")
        return 1
    for row in engine.quarters(postings) if told.quarter else postings:
        print(*row)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
