"""Run the tests; see README.md."""

import argparse
import json
import pathlib
import sys
import unittest
import xml.etree.ElementTree as tree

from clock import spend

sys.path.insert(0, ".")


def flat(suite):
    for one in suite:
        yield from flat(one) if isinstance(one, unittest.TestSuite) else [one]


def group(tests, told):
    """Longest first, each to the shard that has least; a test without a time counts as the mean."""
    times = json.loads(pathlib.Path(told.times).read_text()) if told.times else {}
    mean = sum(times.values()) / len(times) if times else 1
    loads, mine = [0.0] * told.splits, set()
    for test in sorted(tests, key=lambda test: (-times.get(test.id(), mean), test.id())):
        shard = loads.index(min(loads))
        loads[shard] += times.get(test.id(), mean)
        if shard == told.group - 1:
            mine.add(test.id())
    return [test for test in tests if test.id() in mine]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--group", type=int, default=1)
    for name in ("times", "report", "store"):
        parser.add_argument(f"--{name}")
    told = parser.parse_args()
    built = json.loads(pathlib.Path("build/tables.json").read_text())
    print(f"testing {built['platform']}: zones {built['zones']}, edition {built['tables']['edition'][0]}")
    loader = unittest.TestLoader()
    suite = loader.loadTestsFromNames(told.names) if told.names else loader.discover("tests", top_level_dir=".")
    tests, report, times, bad = group(list(flat(suite)), told), tree.Element("testsuite"), {}, 0
    for test in tests:
        result = unittest.TestResult()
        test(result)
        wrong = [*result.failures, *result.errors]
        times[test.id()] = spend(test.id())
        case = tree.SubElement(report, "testcase", classname=test.id().rpartition(".")[0], name=test.id().rpartition(".")[2], time=str(times[test.id()]))
        if wrong:
            bad += 1
            tree.SubElement(case, "failure").text = wrong[0][1]
            print(f"{test.id()}: {wrong[0][1].splitlines()[-1]}")
        elif result.skipped:
            tree.SubElement(case, "skipped", message=result.skipped[0][1])
    if told.report:
        tree.ElementTree(report).write(told.report)
    if told.store:
        pathlib.Path(told.store).write_text(json.dumps(times, indent=1, sort_keys=True) + "\n")
    print(f"{len(tests)} tests, {bad} bad")
    return 1 if bad or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
