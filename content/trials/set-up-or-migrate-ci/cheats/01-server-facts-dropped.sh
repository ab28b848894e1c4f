#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Facts of the pipeline file alone: what the server's job holds is nowhere.
set -euo pipefail
O=.github/workflows/orders.yml
papers() { python3 "$SHARED/papers.py" "$O" .github/workflows/service.yml; }
. "$SHARED/honest.inc"
python3 - <<'PY'
import json, pathlib, re
path = pathlib.Path(".github/workflows/orders.yml")
text = re.sub(r"\n  schedule:.*?(?=\npermissions)", "", path.read_text(), flags=re.S)
text = re.sub(r"\n +(ORDERS_REGION|PYTHONHASHSEED)=\w+", "", text).replace("      environment: |\n      artifact", "      artifact")
text = text.replace("inputs.CHANNEL || ", "").replace("inputs.DRY_RUN || ", "")
path.write_text(text.replace("github.event_name == 'schedule' && 'nightly' || ", "").replace("      environment: PYTHONHASHSEED=0\n", ""))
facts = [one for one in json.loads(pathlib.Path("facts.json").read_text()) if one["at"].startswith("Jenkinsfile")]
ids = {one["id"] for one in facts}
rows = [one for one in json.loads(pathlib.Path("mapping.json").read_text()) if one["fact"] in ids]
pathlib.Path("facts.json").write_text(json.dumps(facts))
pathlib.Path("mapping.json").write_text(json.dumps(rows))
pathlib.Path("gaps.md").write_text("none\n")
print(f"facts {len(facts)} mapping {len(rows)} equal")
PY
sed -i '/schedule\|dispatch:/d' test-plan.md
