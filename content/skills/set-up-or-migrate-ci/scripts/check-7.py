"""Step 7, before a minute of CI is paid: the drafted workflows do on each event what the old job did, here on this machine.

    check-7.py BUILDS [--stub SCRIPT ...] [--junit 'reports/*.xml'] [--setting timeout-minutes=30 ...]
               [--like refs/tags/v1.4.0=refs/tags/v9.9 ...] [--fault src/other.py='import nothing' ...]

BUILDS is a JSON list, one entry an event of the old job's history: "event", "ref", for some "base", "cron", "inputs",
"changed", "patch" (a bad commit); and what came of it: "result" (success, failure, none), "tests" (the ids that passed),
"artifacts" (file names), "calls" (how the stubbed scripts were called), "contents" (of an artifact the files in it, with
the first digits of their SHA-256). --stub names scripts that deploy; they are replaced. What the list cannot show is
kept back from whoever drafts: --setting, a value that changes no result here (timeout-minutes, retention-days, runs-on,
concurrency='a ref'); --like, a ref or base that is treated like one in the list; --fault, a line that makes the first
pull request (or event) red wherever it is added. Needs PyYAML and dryrun.py beside it. Exit code 0: no difference.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from dryrun import DryRun
from unseen import unseen


def passed(reports):
    """The ids of the tests that passed: neither skipped nor failed."""
    cases = [case for report in reports for case in ET.parse(report).getroot().iter("testcase")]
    return sorted({f"{case.get('classname')}::{case.get('name')}" for case in cases if not len(case)})


def called(call, expected):
    """Whether a stub was called as in the old job; a secret is compared by its name."""
    environment = {key: call["environment"].get(key) for key in expected["environment"]}
    return (call["file"], call["arguments"], environment) == (expected["file"], expected["arguments"], expected["environment"])


def differences(event, run, settings):
    what = f"{event['event']} {event.get('ref', '')} {event.get('inputs', '')} {event.get('patch', '')}{event.get('fault', '')}"
    if run.result != event["result"]:
        last = run.said[-1] if run.said else "no workflow started"
        return [f"{what}: {run.result}, the old job: {event['result']} ({last})"]
    found = [f"{what}: {one}" for one in (unseen(event, run, settings) if run.result == "success" else ())]
    for name, new in (("tests", passed(run.reports)), ("artifacts", sorted(run.artifacts))):
        if event["result"] == "success" and new != sorted(event[name]):
            lost, more = set(event[name]) - set(new), set(new) - set(event[name])
            found.append(f"{what}: {name}: lost {sorted(lost)}, not there before {sorted(more)}")
    expected = event.get("calls", [])
    if len(run.calls) != len(expected) or not all(any(called(one, call) for one in run.calls) for call in expected):
        keys = [key for call in expected for key in call["environment"]]
        new = [(one["file"], one["arguments"], {key: one["environment"].get(key) for key in keys}) for one in run.calls]
        found.append(f"{what}: calls {new}, the old job: {expected}")
    return found


def wanted(told):
    """The events of the list, those like them, and the first with each fault."""
    events = json.loads(pathlib.Path(told.builds).read_text())
    for old, new in (pair.split("=", 1) for pair in told.like):
        events += [
            {**event, **{key: new for key in ("ref", "base") if event.get(key) == old}}
            for event in events
            if old in (event.get("ref"), event.get("base"))
        ]
    good = [event for event in events if event["result"] == "success"]
    first = next((event for event in good if event["event"] == "pull_request"), good[0])
    kept = {key: value for key, value in first.items() if key not in ("tests", "artifacts", "contents", "calls")}
    return events + [{**kept, "result": "failure", "fault": fault} for fault in told.fault]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("builds")
    for name in ("stub", "setting", "like", "fault"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--junit", default="reports/*.xml")
    told, wrong, known = parser.parse_args(), [], {}
    for event in wanted(told):
        planned = DryRun(".", event, shell=lambda command, environment, folder: (0, ""))
        key = json.dumps([planned.result, planned.plan, planned.limits, event.get("patch"), event.get("fault")], default=str)
        with tempfile.TemporaryDirectory() as place:
            if key not in known:
                tree = shutil.copytree(".", pathlib.Path(place, "tree"), symlinks=True)
                if "patch" in event:
                    subprocess.run(["git", "apply", event["patch"]], cwd=tree, check=True)
                if "fault" in event:
                    file, line = event["fault"].split("=", 1)
                    with open(tree / file, "a") as opened:
                        opened.write(f"\n{line}\n")
                known[key] = DryRun(tree, event, told.junit, told.stub)
            wrong += differences(event, known[key], told.setting)
    print("\n".join(wrong) or "no difference")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
