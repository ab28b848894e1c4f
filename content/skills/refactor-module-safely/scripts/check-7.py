"""Step 7: from outside nothing is different: names, tests, output, and each new file by itself.

    check-7.py BASE HEAD --surface books.engine --test 'python3 -m unittest -v' --tests tests [--net PATH] [--same 'COMMAND'] [--alone MODULE]

Everything runs in clean folders. The surface is each name that the old module defines, with an underscore too: its
signature, or its value. The tests, and the --net (samples, golden script), of BASE are laid over HEAD. --same: prints the
same and ends the same on both. --alone: can be imported first, in a new process.
"""

import argparse
import re
import shutil
import subprocess

from commits import git, laid_out, said, unpack

PASSED = r"(?m)^(?:PASSED (\S.*)|(\w+ \(\S+\))(?:\n.*)? \.\.\. ok)$"
SURFACE = """
import importlib, inspect, re, sys
module = importlib.import_module(sys.argv[1])
def ours(name, what):
    here = not callable(what) or getattr(what, "__module__", module.__name__) == module.__name__
    return here and not name.startswith("__") and not inspect.ismodule(what)
def shown(what):
    if inspect.isclass(what):
        return f"a class {[one.__name__ for one in what.__mro__]} {sorted(name for name in vars(what) if name[:2] != '__')}"
    return f"{type(what).__name__} {inspect.signature(what)}" if callable(what) else repr(what)
for name in sys.argv[2:] or [name for name, what in vars(module).items() if ours(name, what)]:
    there = shown(getattr(module, name)) if hasattr(module, name) else "not there"
    print(name, re.sub(r" at 0x[0-9a-f]+", "", there).replace(chr(10), " "))
"""


def printed(command, tree):
    ran = subprocess.run(command, shell=isinstance(command, str), cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return ran.stdout, ran.returncode


def problems(told):
    with laid_out(told.base) as was, laid_out(told.head) as now:
        old = dict(line.split(" ", 1) for line in printed(["python3", "-c", SURFACE, told.surface], was)[0].splitlines())
        new = dict(line.partition(" ")[::2] for line in printed(["python3", "-c", SURFACE, told.surface, *old], now)[0].splitlines())
        for name, shown in old.items():
            if new.get(name) != shown:
                yield f"{told.surface}.{name} was {shown[:100]} and is {new.get(name, 'not there')[:100]}"
        for module in told.alone:
            if printed(["python3", "-c", f"import {module}"], now)[1]:
                yield f"{module} cannot be imported by itself: there is a cycle"
        for line in git("diff", "-U0", told.base, told.head, "--", *told.tests, *told.net).splitlines():
            if re.match(r"[+-](?!\+\+|--)\s*(?!\s|import |from )\S", line):
                yield f"a test or a sample is changed: {line}"
        for path in [*told.tests, *told.net]:
            shutil.rmtree(now / path) if (now / path).is_dir() else (now / path).unlink(missing_ok=True)
            unpack(now, told.base, path)
        passed = [{"".join(found.groups(default="")) for found in re.finditer(told.passed, printed(told.test, tree)[0])} for tree in (was, now)]
        if not passed[0]:
            yield f"no test passes on {told.base}: the command or --passed is wrong"
        for test in sorted(passed[0] - passed[1]):
            yield f"{test}, as it was, does not pass any more"
        for command in told.same:
            (before, ended), (after, ends) = (printed(command, tree) for tree in (was, now))
            if (before, ended) != (after, ends):
                where = next((pair for pair in zip(before.splitlines(), after.splitlines()) if pair[0] != pair[1]), (ended, ends))
                yield f"{command}: {where[0]!r} before, {where[1]!r} now"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("head")
    for name in ("surface", "test"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--passed", default=PASSED)
    for name in ("tests", "net", "same", "alone"):
        parser.add_argument(f"--{name}", action="append", default=[])
    said(problems(parser.parse_args()), "nobody outside can tell the difference")


if __name__ == "__main__":
    main()
