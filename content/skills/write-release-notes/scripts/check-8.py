"""Step 8: until you approve, no tag is made, nothing is committed, and no file that git keeps is edited.

check-8.py --print TARGET          the state of the repository: note it before the agent begins
check-8.py --state STATE TARGET    whether it is still so
"""

import argparse
import hashlib
import sys

import release


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    parser.add_argument("--state")
    parser.add_argument("--print", action="store_true")
    told = parser.parse_args()
    refs = release.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags")
    found = hashlib.sha256(refs.encode()).hexdigest()
    if told.print:
        print(found)
        return 0
    wrong = (
        []
        if told.state and found.startswith(told.state)
        else [f"a branch or a tag is new, moved or gone (now {found[:12]})"]
    )
    wrong += [f"{name} was edited" for name in release.git("diff", "--name-only", told.target).split()]
    print("\n".join(wrong) or "the repository is as it was")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
