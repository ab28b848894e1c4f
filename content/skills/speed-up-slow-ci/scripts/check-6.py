"""Step 6: all shards together ran the tests of before, each once and with the same result; times are known and shards even.

    check-6.py --before FOLDER --after FOLDER [--after FOLDER ...] --times .test_durations

A folder holds the reports of one run, in JUnit's XML, one for each job or shard; give three runs or more after the split.
--times is JSON: seconds by id, as pytest-split writes it, or `package.module.Class.test`.
"""

import argparse
import collections
import json
import pathlib
import sys
import xml.etree.ElementTree as tree


def identity(text):
    return text.replace(".py::", ".").replace("::", ".").replace("/", ".")


def cases(folder):
    """Shard, id, result and seconds of each test that the reports of a run have."""
    for path in sorted(pathlib.Path(folder).rglob("*.xml")):
        for case in tree.parse(path).iter("testcase"):
            children = {child.tag for child in case}
            result = "failed" if children & {"failure", "error"} else "skipped" if "skipped" in children else "passed"
            name = ".".join(part for part in (case.get("classname"), case.get("name")) if part)
            yield path.stem, identity(name), result, float(case.get("time") or 0)


def compared(before, after):
    """What a run does otherwise than the one before."""
    was = {name: result for _, name, result, _ in before}
    now = {name: result for _, name, result, _ in after}
    for name, times in collections.Counter(name for _, name, *_ in after).items():
        if times > 1 and times > sum(name == other for _, other, *_ in before):
            yield f"{name} ran {times} times"
    yield from (f"{name} ran before, and in no shard now" for name in sorted(set(was) - set(now)))
    yield from (f"{name} is new" for name in sorted(set(now) - set(was)))
    yield from (f"{name} was {was[name]} and is {now[name]}" for name in sorted(set(was) & set(now)) if was[name] != now[name])


def problems(told):
    before = list(cases(told.before))
    if not before:
        yield f"no reports in {told.before}"
    loads = []
    for folder in told.after:
        after = list(cases(folder))
        if not after:
            yield f"no reports in {folder}"
            return
        yield from (f"{folder}: {wrong}" for wrong in compared(before, after))
        shards = collections.Counter()
        for shard, _, _, seconds in after:
            shards[shard] += seconds
        loads.append(max(shards.values()) / max(sum(shards.values()) / len(shards), 1e-9))
        if loads[-1] > told.uneven:
            yield f"{folder}: the slowest shard, {shards.most_common(1)[0][0]}, takes {loads[-1]:.2f} times the mean"
    times = {identity(name) for name in json.loads(pathlib.Path(told.times).read_text())} if pathlib.Path(told.times).is_file() else set()
    names = {name for _, name, *_ in before}
    if len(names & times) < told.known * len(names):
        yield f"{told.times} knows {len(names & times)} of {len(names)} tests"


def main():
    parser = argparse.ArgumentParser()
    for name in ("before", "times"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--after", action="append", required=True)
    parser.add_argument("--known", type=float, default=0.95)
    parser.add_argument("--uneven", type=float, default=1.3)
    wrong = list(problems(parser.parse_args()))
    print("\n".join(wrong) or "the same tests, each once, in even shards")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
