#!/bin/bash
# The repository before the move, and the history of the old job: `base`.
set -euo pipefail
patch_of() { git diff > "bad/$1.patch"; git checkout -q -- .; }
git init -q
printf '%s\n' reports/ dist/ __pycache__/ NOTES.txt published.txt environment.sh > .gitignore
git add -A
git commit -qm 'orders, built by the old server'
mkdir -p bad
sed -i 's/1200/1201/' tests/unit/test_prices.py; patch_of unit
sed -i '$a\    print(rate)' orders/prices.py; patch_of lint
sed -i 's/89280/89281/' tests/integration/test_month.py; patch_of integration
printf 'exit 3\n' >> ci/package.sh; patch_of package
python3 - <<'PY'
import hashlib, json, os, shutil, subprocess, tarfile
def contents(channel):
    """What the old job's package of a channel holds."""
    given = {"PATH": os.environ["PATH"], "ORDERS_REGION": "at", "CHANNEL": channel}
    subprocess.run(["ci/package.sh", "--notes", "--epoch", "1700000000"], env=given, check=True)
    with tarfile.open(f"dist/orders-{channel}.tar.gz") as package:
        return {one.name: hashlib.sha256(package.extractfile(one).read()).hexdigest()[:16] for one in package if one.isfile()}
unit = [f"tests.unit.test_prices.Total::test_{name}" for name in ("no_lines", "reduced_rate", "rounds_half_up", "usual_rate")]
tests = [f"tests.integration.test_month.Month::test_{name}" for name in ("a_day", "a_month", "region")] + unit
def built(event, channel="stable", dry=None, **more):
    found = {"event": event, **more, "result": "success", "tests": tests, "artifacts": [f"orders-{channel}.tar.gz", "integration.xml", "unit.xml"]}
    found["contents"] = {f"orders-{channel}.tar.gz": contents(channel)}
    environment = {"CHANNEL": channel, "DRY_RUN": dry, "DEPLOY_KEY": "<secret ORDERS_DEPLOY_KEY>"}
    call = {"file": "ci/publish.sh", "arguments": ["--verify"], "environment": environment}
    return {**found, "secrets": ["ORDERS_DEPLOY_KEY"], "calls": [call]} if dry else {**found, "secrets": [], "calls": []}
main = {"ref": "refs/heads/main"}
pull = {"ref": "refs/pull/7/merge", "base": "main", "head": "change"}
asked = {"inputs": {"CHANNEL": "beta", "DRY_RUN": "true"}}
builds = [
    built("push", **main), built("push", ref="refs/heads/release/1.4", changed=["README.md"]),
    built("pull_request", **pull), built("pull_request", ref="refs/pull/8/merge", base="release/1.4", head="x"),
    built("schedule", "nightly", None, cron="30 1 * * 1-5", **main),
    built("push", dry="false", ref="refs/tags/v1.4.0"), built("push", dry="false", ref="refs/tags/v2"),
    built("workflow_dispatch", "beta", **asked, **main), built("workflow_dispatch", inputs={}, **main),
    built("workflow_dispatch", "beta", "true", ref="refs/tags/v1.4.0", **asked),
    {"event": "push", "ref": "refs/heads/try-this", "result": "none"},
    {"event": "push", "ref": "refs/tags/test-1", "result": "none"},
]
builds += [{"event": "pull_request", **pull, "patch": f"bad/{name}.patch", "result": "failure"}
           for name in ("lint", "unit", "integration", "package")]
shutil.rmtree("dist")
os.remove("NOTES.txt")
with open("export/builds.json", "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(one) for one in builds) + "\n]\n")
PY
git add -A
git commit -qm 'Builds of the old job, with the name that each event has in the new system'
git tag base
