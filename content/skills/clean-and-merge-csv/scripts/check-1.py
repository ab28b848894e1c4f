"""Step 1: the files are the ones that were received.

    check-1.py --print data/raw documents       the checksum of them all: note it where the agent cannot write
    check-1.py --sum SUM data/raw documents     whether they are still the same

One number over the names and bytes of every file. A list of checksums beside the files proves nothing: whoever changes a
file makes it anew.
"""

import argparse
import hashlib
import sys
from pathlib import Path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--sum")
    parser.add_argument("--print", action="store_true")
    told = parser.parse_args()
    lines = []
    for folder in told.folders:
        paths = sorted(Path(folder).rglob("*")) if Path(folder).is_dir() else [Path(folder)]
        for path in paths:
            if path.is_symlink() or not (path.exists()):
                sys.exit(f"{path} is a link, or missing: copy the file itself")
            if path.is_file():
                lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.as_posix()}")
    found = hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()
    if told.print:
        print(found)
        return 0
    if not told.sum or not found.startswith(told.sum):
        print(f"the files are not those that were received (now {found[:12]}): fetch them again from where they came")
        return 1
    print("the files are as received")
    return 0


if __name__ == "__main__":
    sys.exit(main())
