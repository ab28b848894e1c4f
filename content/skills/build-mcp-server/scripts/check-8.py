"""Step 8: the snapshot is the server's list of tools, and the tests fail on another name, description, input or hint.

    check-8.py [calls.json] [tools.json]
"""

import copy
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from service import Service, load
from session import Session


CHANGES = {
    "another name": lambda tool: tool.update(name=tool["name"] + "_2"),
    "another description": lambda tool: tool.update(description="Lists things."),
    "one more input": lambda tool: tool["inputSchema"].setdefault("properties", {}).update(more={"type": "string"}),
    "other hints": lambda tool: tool.update(annotations={**tool.get("annotations", {}), "readOnlyHint": None}),
}


def tools_of(snapshot):
    return snapshot["tools"] if isinstance(snapshot, dict) else snapshot


def main():
    given, snapshot = (sys.argv[1:] + ["calls.json", "tools.json"][len(sys.argv) - 1 :])[:2]
    calls, wrong = load(given), []
    service = Service(calls, calls["data"][0])
    session = Session(calls, service, calls["secrets"][0], [calls["write_option"]])
    live = session.tools()
    session.stop()
    service.stop()
    whole = json.loads(pathlib.Path(snapshot).read_text()) if pathlib.Path(snapshot).is_file() else []
    kept = {tool["name"]: tool for tool in tools_of(whole)}
    fields = ("description", "inputSchema", "annotations")
    if not live or {n: [t.get(f) for f in fields] for n, t in live.items()} != {n: [t.get(f) for f in fields] for n, t in kept.items()}:
        wrong.append(f"{snapshot} is not what tools/list says: {sorted(live)} and {sorted(kept)}")
    for what, change in CHANGES.items() if not wrong else ():
        with tempfile.TemporaryDirectory() as place:
            tree, other = shutil.copytree(".", pathlib.Path(place, "tree"), symlinks=True), copy.deepcopy(whole)
            change(tools_of(other)[0])
            (tree / snapshot).write_text(json.dumps(other, indent=1))
            if subprocess.run(calls["test"], shell=True, cwd=tree, capture_output=True).returncode == 0:
                wrong.append(f"{snapshot} with {what}, and the tests pass: they do not compare it whole with the server")
    print("\n".join(wrong) or f"{len(live)} tools, and a test holds them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
