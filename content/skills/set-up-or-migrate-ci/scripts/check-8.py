"""Step 8: the test plan has a line for each trigger, and a tick stands only beside the address of a finished run of it.

    check-8.py PLAN RUNS [--drafted] [--without fork]

PLAN holds lines `- [ ] push: how it is brought about; what would be wrong` (push, tag, pull_request, fork, schedule,
workflow_dispatch, release …). RUNS is what `gh run list --limit 200 --json url,event,status,headBranch` prints. With
--drafted all may still be open, else all are ticked; --without fork is for plans whose lines the task fixes. Needs
PyYAML and dryrun.py beside it.
"""

import argparse
import json
import pathlib
import re
import sys

import yaml
from dryrun import triggers

SEEN_AS = {"tag": "push", "fork": "pull_request", "schedule": "workflow_dispatch"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plan", type=pathlib.Path)
    parser.add_argument("runs", type=pathlib.Path)
    parser.add_argument("--drafted", action="store_true")
    parser.add_argument("--without", choices=["fork"])
    told = parser.parse_args()
    plan, runs = told.plan.read_text(), json.loads(told.runs.read_text())
    lines, wrong, wanted = re.findall(r"^- \[(.)\] *`?(\w+)`?:(.*)", plan, re.M), [], set()
    for path in pathlib.Path(".github/workflows").glob("*.y*ml"):
        on = triggers(yaml.safe_load(path.read_text()))
        wanted |= set(on) - {"workflow_call", "push"} | ({"fork"} if "pull_request" in on else set())
        rule = on.get("push") or {}
        wanted |= {"tag"} if "tags" in rule else set()
        wanted |= {"push"} if "push" in on and ("branches" in rule or "tags" not in rule) else set()
    wanted -= {told.without}
    named = [name for _, name, _ in lines]
    wrong += [f"{name}: {named.count(name)} lines, not one" for name in sorted(wanted | set(named)) if named.count(name) != 1]
    wrong += [f"{name}: no workflow has this trigger" for name in sorted(set(named) - wanted)]
    finished = {run["url"]: run["event"] for run in runs if run["status"] == "completed"}
    used = []
    for tick, name, rest in lines:
        address = next(iter(re.findall(r"https://[^\s)>]+/actions/runs/\d+", rest)), None)
        if tick == " ":
            wrong += [] if told.drafted else [f"{name}: not carried out"]
        elif finished.get(address) not in (name, SEEN_AS.get(name)) or finished.get(address) is None:
            wrong.append(f"{name}: ticked, and {address or 'no address'} is no finished run of that trigger")
        used += [address] if address else []
    wrong += [f"{one} stands beside two lines" for one in set(used) if used.count(one) > 1]
    print("\n".join(wrong) or f"{len(lines)} lines")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
