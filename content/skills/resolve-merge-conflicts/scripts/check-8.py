"""Step 8: a merge of these two tips, without markers, that differs from git's own merge in files of conflicts alone.

    check-8.py FIRST SECOND MERGE [--allow PATH] [--had WORD]

FIRST is the tip that received, SECOND what was brought in. The conflicts are found by merging again in a clone. --allow: an
owner let this file change, or a generator wrote it (step 6). Settings and recorded resolutions that steer later merges of this clone are found as well;
--had: this one (rerere.enabled, rr-cache) was there before.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

from commits import git, names, said, text


def conflicts(first, second):
    """The files in which git's own merge of the two stops."""
    with tempfile.TemporaryDirectory() as place:
        git("clone", "-q", "--shared", "--no-checkout", ".", place)
        git("checkout", "-q", "--detach", first, cwd=place)
        subprocess.run(["git", "merge", "--no-ff", "--no-commit", second], cwd=place, capture_output=True)
        return set(git("-C", place, "diff", "--name-only", "--diff-filter=U", "-z").split("\0")) - {""}


def left_behind():
    """What of the clone's own would settle somebody's next merge without asking."""
    keys = r"^(rerere\..*|merge\..*\.driver|core\.(attributesfile|hookspath))$"
    found = subprocess.run(["git", "config", "--local", "--name-only", "--get-regexp", keys], capture_output=True, text=True)
    yield from found.stdout.split()
    place = pathlib.Path(git("rev-parse", "--path-format=absolute", "--git-common-dir").strip())
    yield from (name for name in ("rr-cache", "info/attributes") if (one := place / name).is_file() or one.is_dir() and any(one.iterdir()))


def problems(told):
    for what in left_behind():
        if what not in told.had:
            yield f"{what} is left in this clone and steers its next merges: take it out, or say that it was there"
    first, second, merge = (git("rev-parse", f"{ref}^{{commit}}").strip() for ref in (told.first, told.second, told.merge))
    parents = git("rev-list", "--parents", "-n", "1", merge).split()[1:]
    if parents != [first, second]:
        yield f"{told.merge} is no merge of {told.first} and {told.second}: its parents are {' '.join(parents) or 'none'}"
        return
    theirs = conflicts(first, second)
    for path in names("show", "--remerge-diff", "--name-only", "--no-renames", "--format=", merge):
        if path not in theirs and path not in told.allow:
            yield f"{path} merged without a conflict and was changed by hand: put git's merge of it back, or ask its owner"
        if re.search(r"(?m)^(<{7}|\|{7}|>{7})( |$)", text(merge, path)):
            yield f"{path} has conflict markers"


def main():
    parser = argparse.ArgumentParser()
    for name in ("first", "second", "merge"):
        parser.add_argument(name)
    for name in ("allow", "had"):
        parser.add_argument(f"--{name}", action="append", default=[])
    said(problems(parser.parse_args()), "the merge changes files of conflicts, and what was allowed, alone")


if __name__ == "__main__":
    main()
