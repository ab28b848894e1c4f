#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Tables and database are prepared once, for six shards; no cache at all; times stored by the test tool; lint goes first.
set -euo pipefail
. "$SHARED/do.inc"
cd tide
git checkout -q -b faster
python3 - <<'PY'
import pathlib
path = pathlib.Path("tests/test_closing.py")
text = path.read_text().replace("class Closing(unittest.TestCase):\n", "class Closing(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n        calendar.open_year(2026)\n\n")
path.write_text(text)
path = pathlib.Path("tests/test_calendar.py")
path.write_text(path.read_text().replace("    def test_sunday(self):\n", "    def test_sunday(self):\n        calendar.open_year(2026)\n"))
path = pathlib.Path("tests/test_closing.py")
path.write_text(path.read_text().replace("    @classmethod\n    def setUpClass(cls):\n", "    def setUp(self):\n"))
PY
git commit -qam 'Tests of the calendar open their own year'
python3 tools/install.py && python3 tools/build.py && python3 tools/migrate.py
CI_CLOCK=/tmp/clock CI_COSTS=../forge/costs.json python3 tools/test.py --store times.json
rm -r vendor build tide.db
git commit -qam 'Times of a full run'
cat > ci.json <<'JSON'
{
  "jobs": {
    "lint": {"steps": ["python3 tools/install.py", "python3 tools/lint.py"]},
    "old": {
      "env": {"PLATFORM": "old"},
      "steps": ["python3 tools/install.py", "python3 tools/build.py", "python3 tools/smoke.py"]
    },
    "prepare": {
      "steps": ["python3 tools/install.py", "python3 tools/build.py", "python3 tools/migrate.py", "mkdir ready && cp -r build tide.db ready"],
      "upload": [{"name": "ready", "path": "ready"}]
    },
    "shard": {
      "needs": ["prepare"],
      "shards": 6,
      "download": [{"name": "ready", "path": "."}],
      "steps": ["python3 tools/test.py --splits $SHARDS --group $SHARD --times times.json --report report.xml"],
      "report": "report.xml"
    },
    "gate": {
      "needs": ["lint", "old", "prepare", "shard"],
      "always": true,
      "steps": ["test \"$NEEDS\" = '{\"lint\": \"success\", \"old\": \"success\", \"prepare\": \"success\", \"shard\": \"success\"}'"]
    }
  }
}
JSON
git commit -qam 'CI: prepare once, six shards, one gate'
cd ..
runs --times 12
cite '104 105 106 107 111 112 113 114 115 116 117' "$(seq -s ' ' 118 129)"
