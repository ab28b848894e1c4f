"""Step 6: break the module in every place, one at a time; the new tests must notice, and each of them something.

    check-6.py BASE MODULE.py [--pytest OPTIONS] [--accept 'LINE: BREAKAGE']

Breakages: a comparison or its boundary, a sign, a number, a check that is gone, a result that is None, a call that is
dropped. --accept names a survivor that a person has looked at and that changes nothing. Before that the module is laid
out and written otherwise, with the same behaviour, and no test may notice. An expected failure that passes where a
result is None does not say what is right. Exit code 0: all as it should be.
"""

import argparse
import ast
import sys

from outcomes import RED, copied, outcomes

GONE = "result is None"
SWAPS = {ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.In: ast.NotIn, ast.Is: ast.IsNot}
SWAPS |= {ast.Add: ast.Sub, ast.Mult: ast.Div, ast.And: ast.Or}
SWAPS |= {new: old for old, new in SWAPS.items()}


def broken(node):
    """Break one node in place: what was done, or nothing."""
    holder = node.ops if isinstance(node, ast.Compare) else None
    if isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPS:
        was, node.op = type(node.op), SWAPS[type(node.op)]()
        return f"{was.__name__} to {type(node.op).__name__}"
    if holder and type(holder[0]) in SWAPS:
        was, holder[0] = type(holder[0]), SWAPS[type(holder[0])]()
        return f"{was.__name__} to {type(holder[0]).__name__}"
    if isinstance(node, ast.Constant) and type(node.value) in (int, float, str):
        was = node.value
        node.value = was + 1 if not isinstance(was, str) else f"{was}1" if was.replace(".", "").isdigit() else was
        return f"{was} to {node.value}" if node.value != was else ""
    if isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise):
        node.test = ast.Constant(False)
        return "refusal removed"
    if isinstance(node, ast.Return) and node.value and ast.unparse(node.value) != "None":
        node.value = ast.Constant(None)
        return GONE
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        node.value = ast.Constant(None)
        return "call dropped"
    return ""


class Rewritten(ast.NodeTransformer):
    """The same behaviour in other words: each result and each refusal's condition goes by another name first."""

    def visit_Return(self, node):
        if not node.value:
            return node
        keep = ast.Assign([ast.Name("outcome_", ast.Store())], node.value)
        return [keep, ast.Return(ast.Name("outcome_", ast.Load()))]

    def visit_If(self, node):
        self.generic_visit(node)
        node.test = ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), node.test))
        return node


def rewritten(source):
    """The module without comments and blank lines, and in other words."""
    yield ast.unparse(ast.parse(source))
    yield ast.unparse(ast.fix_missing_locations(Rewritten().visit(ast.parse(source))))


def breakages(source):
    """Each breakage: its name, and the module with it."""
    for place in range(sum(1 for _ in ast.walk(ast.parse(source)))):
        tree = ast.parse(source)
        node = list(ast.walk(tree))[place]
        if what := broken(node):
            yield f"{node.lineno}: {what}", ast.unparse(ast.fix_missing_locations(tree))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("module")
    parser.add_argument("--pytest", default="")
    parser.add_argument("--accept", action="append", default=[])
    told, survivors = parser.parse_args(), []
    with copied(told.base) as tree:
        old = outcomes(told.pytest, tree) or {}
    with copied() as tree:
        module = tree / told.module
        source = module.read_text()
        plain = outcomes(told.pytest, tree)
        if not plain or RED & set(plain.values()):
            sys.exit("the tests must pass on the module as it is")
        for text in rewritten(source):
            module.write_text(text)
            if outcomes(told.pytest, tree) != plain:
                sys.exit("a test notices other layout, comments or words of the same behaviour: test results")
        expected, passing = {name for name, kind in plain.items() if kind == "xfailed"}, set()
        idle = {name for name, kind in plain.items() if kind == "passed"} - old.keys()
        for name, text in breakages(source):
            module.write_text(text)
            after = outcomes(told.pytest, tree, limit=60)
            red = plain.keys() if after is None else {test for test, kind in after.items() if kind in RED}
            idle -= red if after else set()
            if after and name.endswith(GONE):
                passing |= {test for test in red & expected if after[test] == "xpassed"}
            if not red and name not in told.accept:
                survivors.append(f"{told.module}:{name}: no test notices")
            if len(survivors) == 5:
                sys.exit("\n".join([*survivors, "and perhaps more: give these rows tests first"]))
    wrong = survivors + [f"{test} notices no breakage at all: rewrite or delete it" for test in sorted(idle)]
    wrong += [f"{test} passes where a result is None: expect what is right, not what is wrong" for test in sorted(passing)]
    print("\n".join(wrong) or "every breakage is noticed, and every new test notices one")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
