"""Step 5: each piece of the old file stands in one file, letter by letter; each commit moves to one new file and passes.

    check-5.py BASE HEAD --module books/engine.py --into books/rates.py [--into ...] [--may PATH] [--differs REGEX] [--each 'COMMAND']

Each commit that makes a file moves pieces into it, and into no other. A piece that asks for `__name__` or `__file__` gets another
answer in a new file: write out what it was. A piece is a top-level statement of a Python file with its decorators and the remarks right above. --may: a caller that may
change as well. --differs: a line that may be other than it was, in a piece or in a caller (import lines always may).
--each: what must pass at every commit, in a folder of its own.
"""

import argparse
import difflib
import re
import subprocess

from commits import git, laid_out, pieces, said, text

IMPORT = r"^\s*(import |from \S+ import |\w+( as \w+)?,\s*(#.*)?$|\)$)"


def other_lines(old, new, differs):
    """The lines of a difference that nobody allowed; a remark may be added to one that somebody did."""
    found = [line for line in difflib.ndiff(old.splitlines(), new.splitlines()) if line[:1] in "+-" and line[2:].strip()]
    allowed = [line for line in found if any(re.search(one, line[2:]) for one in differs)]
    return [line for line in found if line not in allowed and not (allowed and re.match(r"\+ \s*#", line))]


def misplaced(told, files):
    was = list(pieces(text(told.base, told.module)))
    now = [(path, name, body) for path in files for name, _, _, body in pieces(text(told.head, path))]
    bodies = {body for *_, body in was}
    for name, _, _, body in was:
        places = [path for path, _, copy in now if copy == body]
        if len(places) > 1:
            yield f"{name} stands in {' and '.join(places)}: delete it where it was copied from"
        elif not places:
            near = [(path, copy) for path, other, copy in now if other == name and copy not in bodies]
            wrong = other_lines(body, near[0][1], told.differs) if near else []
            if not near:
                yield f"{name} is in none of the files any more"
            elif wrong:
                yield f"{name} came out differently in {near[0][0]}: {' | '.join(wrong[:4])}"
    names = {name for name, *_ in was}
    for path, name, body in now:
        if body not in bodies and name not in names and name != "__all__":
            yield f"{path}: {name} is new, and a move makes nothing new"
        if path != told.module and (asks := re.search(r"__(name|file|package|spec)__(?! ==)", body)):
            yield f"{path}: {name} asks for {asks[0]}, which is another there than in {told.module}: write it out"


def strangers(told, files):
    for path in git("diff", "--name-only", "--no-renames", "-z", told.base, told.head).split("\0"):
        if path and path not in [*files, *told.may]:
            yield f"{path} is changed, and is no part of the move"
        elif path and path in told.may:
            for line in other_lines(text(told.base, path), text(told.head, path), [*told.differs, IMPORT]):
                yield f"{path}: a line differs that nobody named: {line}"


def held(told, commit, path):
    """Which pieces of the old file stand in a file of a commit."""
    was = {body for *_, body in pieces(text(told.base, told.module))}
    return {name for name, _, _, body in pieces(text(commit, path)) if body in was}


def steps(told):
    """What is wrong with the commits, one by one."""
    for commit in git("rev-list", "--reverse", f"{told.base}..{told.head}").split():
        subject = git("log", "-1", "--format=%h %s", commit).strip()
        made = git("diff", "--name-only", "--diff-filter=A", f"{commit}^", commit).split()
        if len(made) > 1:
            yield f"{subject}: makes {len(made)} files; one destination a commit"
        filled = [path for path in told.into if held(told, commit, path) - held(told, f"{commit}^", path)]
        if len(filled) > 1:
            yield f"{subject}: moves into {', '.join(filled)}; one destination a commit"
        for path in set(made) & set(told.into) - set(filled):
            yield f"{subject}: {path} is made, and nothing moves into it"
        for command in told.each:
            with laid_out(commit) as tree:
                ran = subprocess.run(command, shell=True, cwd=tree, capture_output=True, text=True)
            if ran.returncode:
                yield f"{subject}: {command} fails: {(ran.stdout + ran.stderr).strip()[-200:]}"


def problems(told):
    if git("merge-base", told.base, told.head) != git("rev-parse", f"{told.base}^{{commit}}"):
        yield f"{told.head} does not begin at {told.base}"
        return
    files = [told.module, *told.into]
    yield from misplaced(told, files)
    yield from strangers(told, files)
    yield from steps(told)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("head")
    parser.add_argument("--module", required=True)
    for name in ("into", "may", "differs", "each"):
        parser.add_argument(f"--{name}", action="append", default=[])
    said(problems(parser.parse_args()), "each piece moved as it was, one destination a commit")


if __name__ == "__main__":
    main()
