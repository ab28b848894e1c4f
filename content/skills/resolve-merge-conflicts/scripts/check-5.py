"""Step 5: what one side alone did stands in the merge as that side has it; what both did is no side taken whole.

    check-5.py FIRST SECOND MERGE --reasons conflicts.md [--decided PATH[::NAME]=first|second] [--allow PATH]

FIRST and SECOND are the two tips. In Python each import, function, method, constant and entry of a dictionary is compared
with both tips and their base; in every file that both sides touched, the added lines are counted, and a line that is
short must be quoted in the file of reasons. --decided: an owner chose that side. --allow: an owner let it change,
or a generator writes it.
"""

import argparse
import ast
import collections
import pathlib

from commits import base_of, names, said, text


def bare(node):
    """A definition without its docstring."""
    body = getattr(node, "body", [])
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        node.body = body[1:]
    return ast.dump(node)


def pieces(node, inside=""):
    """The name and the code of each piece of a module or a class."""
    for one in node.body:
        if isinstance(one, (ast.Import, ast.ImportFrom)):
            for name in one.names:
                yield f"{inside}import {getattr(one, 'module', None) or ''} {name.name}", ast.dump(name)
        elif isinstance(one, ast.ClassDef):
            yield inside + one.name, " ".join(ast.dump(part) for part in [*one.bases, *one.keywords, *one.decorator_list])
            yield from pieces(one, f"{inside}{one.name}.")
        elif isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield inside + one.name, bare(one)
        elif isinstance(one, ast.Assign) and isinstance(one.value, ast.Dict) and all(one.value.keys):
            for key, value in zip(one.value.keys, one.value.values):
                yield f"{inside}{ast.unparse(one.targets[0])}[{ast.unparse(key)}]", ast.dump(value)
        elif isinstance(one, (ast.Assign, ast.AnnAssign)):
            yield inside + ast.unparse(one.targets[0] if isinstance(one, ast.Assign) else one.target), ast.dump(one)
        elif not isinstance(one, ast.Expr) or not isinstance(one.value, ast.Constant):
            yield f"{inside}`{ast.unparse(one).splitlines()[0]}`", ast.dump(one)


def outline(source):
    found = collections.defaultdict(list)
    for name, code in pieces(ast.parse(source)):
        found[name].append(code)
    return found


def unlike(path, told, base):
    """Each piece of a Python file that is not as the sides have it."""
    try:
        was, first, second, now = (outline(text(ref, path)) for ref in (base, told.first, told.second, told.merge))
    except SyntaxError as error:
        yield f"{path} cannot be parsed ({error.msg})"
        return
    for name in sorted({*was, *first, *second}):
        old, ours, theirs, new = (side.get(name) for side in (was, first, second, now))
        decided = told.decided.get(f"{path}::{name}") or told.decided.get(path)
        if not decided and ours != theirs and old not in (ours, theirs):
            if new in (old, ours, theirs, None):
                whose = "gone" if new is None else told.first if new == ours else told.second if new == theirs else "the base's"
                yield f"{path}: both sides changed {name}, and it is {whose}: one side is lost, and nobody decided that"
            continue
        side = decided or ("second" if old == ours else "first")
        if new != (theirs if side == "second" else ours):
            yield f"{path}: {name} is not as on {getattr(told, side)}"


def short(path, told, base, reasons):
    """Each line that the sides added and that stands too seldom now, without being quoted among the reasons."""
    was, first, second, now = (collections.Counter(text(ref, path).splitlines()) for ref in (base, told.first, told.second, told.merge))
    for line in sorted({*first, *second}):
        due = was[line] + max(0, first[line] - was[line]) + max(0, second[line] - was[line])
        if line.strip() and due > max(was[line], now[line]) and " ".join(line.split()) not in reasons:
            yield f"{path}: a line of the sides is due {due} times, stands {now[line]} times, and has no reason: {line.strip()}"


def problems(told):
    base = base_of(told.first, told.second)
    touched = [set(names("diff", "--name-only", "--no-renames", base, tip)) for tip in (told.first, told.second)]
    reasons = " ".join(pathlib.Path(told.reasons).read_text().split()) if pathlib.Path(told.reasons).is_file() else ""
    for path in sorted({*names("ls-tree", "-r", "--name-only", told.merge), *touched[0], *touched[1]} - {*told.allow}):
        if path.endswith(".py"):
            yield from unlike(path, told, base)
    for path in sorted((touched[0] & touched[1]) - {*told.allow}):
        if text(told.merge, path):
            yield from short(path, told, base, reasons)
        elif path not in reasons:
            yield f"{path} is gone, one side changed it, and {told.reasons} does not name it"


def main():
    parser = argparse.ArgumentParser()
    for name in ("first", "second", "merge"):
        parser.add_argument(name)
    parser.add_argument("--reasons", required=True)
    for name in ("decided", "allow"):
        parser.add_argument(f"--{name}", action="append", default=[])
    told = parser.parse_args()
    told.decided = dict(one.rsplit("=", 1) for one in told.decided)
    said(problems(told), "what each side did is in the merge")


if __name__ == "__main__":
    main()
