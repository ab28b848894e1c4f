# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Whether the new workflows do what the old job did, event by event, and are as closed as the task says."""
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET

sys.path.insert(0, os.environ["GRADER"])
import yaml  # noqa: E402
from dryrun import DryRun, triggers  # noqa: E402

FAILED = 10


def failed(why):
    print(str(why)[:1500])
    sys.exit(FAILED)


def child(command, environment, folder):
    """A step, in the sandbox where no grader is."""
    said = " ".join(f"{key}={shlex.quote(value)}" for key, value in environment.items())
    asked = f'cd {shlex.quote(str(folder))} && env -i PATH="$PATH" HOME=/tmp {said} bash -c {shlex.quote(command)}'
    done = subprocess.run([os.environ["CHILD"], asked], capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout[-400:]


def closed():
    files = [*pathlib.Path(".github").glob("workflows/*.y*ml"), *pathlib.Path(".").glob("**/action.y*ml")]
    for file in files:
        body = file.read_text()
        whole = yaml.safe_load(body)
        if file.parent.name == "workflows":
            open_ = {"pull_request_target", "workflow_run", "issue_comment"} & set(triggers(whole))
            granted = [whole.get("permissions"), *(job.get("permissions") for job in whole["jobs"].values())]
            if open_ or granted[0] is None or re.search("write", json.dumps(granted)) or "secrets: inherit" in body:
                failed(f"{file}: {open_ or 'permissions'}: more rights than a run needs")
        for uses in re.findall(r"^[\s-]*uses:\s*['\"]?([^\s'\"#]+)", body, re.M):
            if not uses.startswith(("./", "$/")) and not re.search(r"@([0-9a-f]{40}|sha256:[0-9a-f]{64})$", uses):
                failed(f"{file}: {uses} is not pinned")
        if re.search(r"\b(curl|wget)\b.*\|\s*\w*sh\b", body):
            failed(f"{file}: runs what it downloads")


def asked_as_before():
    """Each form offers the three channels (or takes any text) and the two answers of a dry run."""
    for path in pathlib.Path(".github").glob("workflows/*.y*ml"):
        on = triggers(yaml.safe_load(path.read_text()))
        if "workflow_dispatch" in on:
            channel = (on["workflow_dispatch"] or {}).get("inputs", {}).get("CHANNEL") or {}
            if channel.get("type") == "choice" and set(channel["options"]) != {"stable", "beta", "nightly"}:
                failed(f"{path}: the form offers {channel['options']}")


def planned():
    plan = pathlib.Path("test-plan.md")
    lines = re.findall(r"^\s*[-*] \[(.)\] *(.*)", plan.read_text(), re.M) if plan.is_file() else []
    if [line for tick, line in lines if tick != " "]:
        failed("a line of the plan is ticked, and nothing ran")
    for name in ("push", "tag", "pull.?request", "schedule", "workflow.?dispatch|manual"):
        if not [line for _, line in lines if re.search(name, line, re.I)]:
            failed(f"the plan has no line for {name}")


CLEAN = pathlib.Path("/trial/.room/clean")


def cleaned():
    """The case without its history, which the runs copy."""
    CLEAN.mkdir(parents=True)
    for path in pathlib.Path(".").iterdir():
        if path.name not in (".git", ".room"):
            (shutil.copytree if path.is_dir() else shutil.copy)(path, CLEAN / path.name)


def ran(event, known={}):
    """A run of the event, and its plan; events that lead to the same commands over the same files are run once."""
    plan = DryRun(CLEAN, event, shell=lambda command, environment, folder: (0, ""))
    key = json.dumps([plan.result, plan.plan, event.get("patch"), event.get("fault")], default=str)
    if key not in known:
        tree = CLEAN
        if "fault" in event:
            tree = shutil.copytree(CLEAN, CLEAN.with_name(f"tree-{len(known)}"))
            with open(tree / event["fault"], "a") as file:
                file.write("\nif __name__ == 'nothing':\n    print(1)\n")
        if "patch" in event:
            tree = shutil.copytree(CLEAN, CLEAN.with_name(f"tree-{len(known)}"))
            subprocess.run(["patch", "-s", "-p1", "-i", pathlib.Path(event["patch"]).resolve()], cwd=tree, check=True)
        known[key] = DryRun(tree, event, stubs=["ci/publish.sh"], shell=child)
    return known[key], plan


def outcome(event):
    what = {key: event[key] for key in event if key not in ("tests", "artifacts", "calls")}
    run, plan = ran(event)
    if run.result != event["result"]:
        failed(f"{what}: {run.result} {run.said[-1:]}")
    if run.leaks:
        failed(f"{what}: a secret is left in {sorted({name for name, _ in run.leaks})}")
    if {name for step in plan.secret_steps for name in step["secrets"]} != set(event.get("secrets", [])):
        failed(f"{what}: secrets in {plan.secret_steps}")
    if run.result != "success":
        return
    decided = {"timeout-minutes": {"20"}, "retention-days": {"30"}, "concurrency": {"a ref"}}
    for name, value in decided.items():
        if run.limits.get(name, set()) != value:
            failed(f"{what}: {name} is {run.limits.get(name)}, decided was {value}")
    for package in event["contents"]:
        path = next(path for path in run.store.rglob(package) if path.is_file())  # an artifact may have the name of its file
        with tarfile.open(path) as opened:
            files = [one for one in opened if one.isfile()]
            held = {one.name: hashlib.sha256(opened.extractfile(one).read()).hexdigest()[:16] for one in files}
        if held != event["contents"][package] or {one.mtime for one in files} != {1700000000}:
            failed(f"{what}: {package} does not hold what the old one held: {held}")
    cases = [case for report in run.reports for case in ET.parse(report).getroot().iter("testcase")]
    passed = {f"{case.get('classname')}::{case.get('name')}" for case in cases if not len(case)}
    if passed != set(event["tests"]) or not set(event["artifacts"]) <= set(run.artifacts):
        failed(f"{what}: {sorted(passed)} {run.artifacts}")
    keys = ("CHANNEL", "DRY_RUN", "DEPLOY_KEY")
    calls = [{"file": one["file"], "arguments": one["arguments"], "environment": {key: one["environment"].get(key) for key in keys}} for one in run.calls]
    if calls != event["calls"]:
        failed(f"{what}: {calls}")


def main():
    try:
        closed()
        asked_as_before()
        planned()
        builds = json.loads(pathlib.Path("export/builds.json").read_text())
        more = {**builds[5], "ref": "refs/tags/v3.0-rc1"}, {**builds[2], "changed": ["README.md"]}
        more += ({**builds[7], "inputs": {"CHANNEL": "beta"}, "ref": "refs/heads/release/2.0"},)
        red = {key: builds[2][key] for key in ("event", "ref", "base", "head")} | {"result": "failure"}
        more += tuple({**red, "fault": name} for name in ("orders/__init__.py", "tests/integration/__init__.py"))
        more += ({**builds[1], "ref": "refs/heads/release/9"}, {**builds[3], "base": "release/9"})
        none = {"event": "schedule", "ref": "refs/heads/main", "cron": "30 1 * * *", "result": "none"}
        os.environ["DRYRUN_ROOM"] = "/trial/.room"
        cleaned()
        chosen = [builds[number] for number in (0, 1, 4, 7, 9, 10, 11, 12, 13, 14, 15)]
        for event in (*chosen, *more, none):
            outcome(event)
    except (ValueError, KeyError, TypeError, AttributeError, OSError, StopIteration, yaml.YAMLError, ET.ParseError) as error:
        failed(f"the workflows cannot be read: {error!r}")
    print("the workflows do what the old job did")


main()
