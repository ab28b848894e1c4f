"""Step 6: each event sees the secrets that were decided for it and no others, and no job may write more than was decided.

    check-6.py BUILDS [--write JOB:SCOPE ...]

BUILDS is a JSON list of events (step 7 says how), each with "secrets": the names that its run may see and must see, or
none. Needs PyYAML and dryrun.py beside it; nothing of the repository is run. Exit code 0: as decided.
"""

import argparse
import json
import pathlib
import re
import sys

import yaml
from dryrun import DryRun, triggers

CLOSED = {"pull_request_target", "workflow_run", "issue_comment", "issues", "discussion", "discussion_comment", "repository_dispatch"}


def writes(granted):
    """The scopes of a `permissions:` that are more than reading."""
    if isinstance(granted, str):
        return [] if granted == "read-all" else [granted]
    return [scope for scope, level in (granted or {}).items() if level not in ("read", "none")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("builds")
    parser.add_argument("--write", action="append", default=[])
    told, wrong = parser.parse_args(), []
    for path in sorted(pathlib.Path(".github/workflows").glob("*.y*ml")):
        body = path.read_text()
        workflow = yaml.safe_load(body)
        wrong += [f"{path}: {one} runs with the secrets on what strangers send" for one in CLOSED & set(triggers(workflow))]
        if "permissions" not in workflow:
            wrong.append(f"{path}: no permissions at the top")
        granted = {"": workflow.get("permissions"), **{name: job.get("permissions") for name, job in workflow["jobs"].items()}}
        wrong += [f"{path}: {name or 'the top'} may write: {one}" for name, part in granted.items() for one in writes(part) if f"{name}:{one}" not in told.write]
        if re.search(r"\$\{\{[^}]*(toJSON\(\s*secrets|secrets\s*\[)|secrets:\s*inherit", body):
            wrong.append(f"{path}: it hands on all secrets: name the one that is needed")
        wide = [workflow.get("env"), *(job.get("env") for job in workflow["jobs"].values() if len(job.get("steps", [])) > 1)]
        if re.search(r"secrets\.(?!GITHUB_TOKEN)", json.dumps(wide)):
            wrong.append(f"{path}: every step of the job sees a secret: give it to one step")
    for event in json.loads(pathlib.Path(told.builds).read_text()):
        run = DryRun(".", event, shell=lambda command, environment, folder: (0, ""))
        seen = {name for step in run.secret_steps for name in step["secrets"]}
        steps = ", ".join(sorted({step["step"] for step in run.secret_steps}))
        if seen != set(event.get("secrets", [])):
            what = f"{event['event']} {event.get('ref', '')} {event.get('inputs', '')}"
            wrong.append(f"{what}: sees {sorted(seen) or 'no secret'} ({steps}), decided was {event.get('secrets', [])}")
    print("\n".join(wrong) or "each event sees what was decided")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
