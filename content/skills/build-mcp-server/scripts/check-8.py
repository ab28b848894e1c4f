"""Step 8: the snapshot is the server's list of tools, and the tests fail on a renamed tool and on another description.

    check-8.py [calls.json] [tools.json]
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from session import Service, Session, load


def main():
    given, snapshot = (sys.argv[1:] + ["calls.json", "tools.json"][len(sys.argv) - 1 :])[:2]
    calls, wrong = load(given), []
    service = Service(calls, calls["data"][0])
    session = Session(calls, service, calls["secrets"][0], [calls["write_option"]])
    live = session.tools()
    session.stop()
    service.stop()
    text = pathlib.Path(snapshot).read_text() if pathlib.Path(snapshot).is_file() else "[]"
    kept = json.loads(text)
    kept = {tool["name"]: tool for tool in (kept["tools"] if isinstance(kept, dict) else kept)}
    fields = ("description", "inputSchema", "annotations")
    if not live or {n: [t.get(f) for f in fields] for n, t in live.items()} != {n: [t.get(f) for f in fields] for n, t in kept.items()}:
        wrong.append(f"{snapshot} is not what tools/list says: {sorted(live)} and {sorted(kept)}")
    for name, tool in live.items() if not wrong else ():
        for old, new in ((f'"{name}"', f'"{name}_2"'), (json.dumps(tool["description"])[1:-1], "Lists things.")):
            with tempfile.TemporaryDirectory() as place:
                tree = shutil.copytree(".", pathlib.Path(place, "tree"), symlinks=True)
                (tree / snapshot).write_text(text.replace(old, new))
                if text.count(old) and subprocess.run(calls["test"], shell=True, cwd=tree, capture_output=True).returncode == 0:
                    wrong.append(f"{snapshot} with {new!r} for {old[:40]!r}, and the tests pass: they compare a thing with itself")
        break
    print("\n".join(wrong) or f"{len(live)} tools, and a test holds them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
