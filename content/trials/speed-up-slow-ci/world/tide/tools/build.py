"""Make build/tables.json of tables/, for the platform; what is there already stays."""

import json
import os
import pathlib
import sys

from clock import spend

out = pathlib.Path("build/tables.json")
if out.exists():
    sys.exit(0)
platform = os.environ.get("PLATFORM", "new")
spend("build")
tables = {}
for path in sorted(pathlib.Path("tables").glob("*.txt")):
    if platform == "old" and len(path.stem) > 8:
        sys.exit(f"{path.stem}: the old platform takes eight letters")
    tables[path.stem] = path.read_text().split()
zones = json.loads(pathlib.Path("vendor/zones.json").read_text())["version"]
out.parent.mkdir(exist_ok=True)
out.write_text(json.dumps({"platform": platform, "zones": zones, "tables": tables}))
