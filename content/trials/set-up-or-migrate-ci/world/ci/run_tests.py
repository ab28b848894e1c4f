"""run_tests.py FOLDER REPORT [--run-slow]: the tests of a folder, and a report in JUnit's XML."""

import os
import pathlib
import sys
import unittest
from xml.sax.saxutils import quoteattr

folder, report = sys.argv[1:3]
os.environ["RUN_SLOW"] = "1" if "--run-slow" in sys.argv else ""
sys.path.insert(0, os.getcwd())
suite = unittest.defaultTestLoader.discover(folder, top_level_dir=".")
cases = [case for group in suite for part in group for case in part]
result = unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite(cases))
said = {id(case): "skipped" for case, _ in result.skipped} | {id(case): "failure" for case, _ in result.failures + result.errors}
lines = []
for name, what, kind in ((case.id(), case._testMethodName, said.get(id(case))) for case in cases):
    inner = f"<{kind}/>" if kind else ""
    lines.append(f"<testcase classname={quoteattr(name.rpartition('.')[0])} name={quoteattr(what)}>{inner}</testcase>")
pathlib.Path(report).parent.mkdir(exist_ok=True)
pathlib.Path(report).write_text("<testsuite>" + "\n".join(lines) + "</testsuite>")
sys.exit(not result.wasSuccessful())
