"""Step 6: without the option nothing writes, with it the service decides, and the key is nowhere but in the environment.

    check-6.py [calls.json]

Of the keys in the file that calls.json names, the first reads and the last writes.
"""

import base64
import pathlib
import subprocess
import sys

from session import Service, Session, load


def main():
    calls, wrong = load(*sys.argv[1:]), []
    reads, writes = calls["secrets"][0], calls["secrets"][-1]
    service = Service(calls, calls["data"][0])
    closed = Session(calls, service, writes)
    for one in calls["writes"]:
        if one["tool"] in closed.tools() or not closed.call(one["tool"], one["arguments"])[1]:
            wrong.append(f"{one['tool']} is there without {calls['write_option']}")
    if sent := [line for line in service.requests() if not line.startswith("GET ")]:
        wrong.append(f"without {calls['write_option']} the service was asked to write: {sent}")
    for name, tool in closed.tools().items():
        if not tool.get("annotations", {}).get("readOnlyHint"):
            wrong.append(f"{name} reads and is not annotated with readOnlyHint")
    closed.stop()
    for key, code in ((reads, "403"), (writes, "20")):
        opened, before = Session(calls, service, key, [calls["write_option"]]), len(service.requests())
        for one in calls["writes"]:
            hints = opened.tools().get(one["tool"], {}).get("annotations", {})
            said, refused = opened.call(one["tool"], one["arguments"])
            sent = [line for line in service.requests()[before:] if line.startswith(f"{one['request']} {code}")]
            if hints.get("readOnlyHint") or "destructiveHint" not in hints or len(sent) != 1 or bool(refused) != (key == reads):
                wrong.append(f"{one['tool']} with {calls['write_option']} and the key {key[:8]}…: hints {hints}, asked {sent}, said {said[:80]!r}")
        opened.stop()
    bare, before = Session(calls, service, None), len(service.requests())
    if any(not bare.call(one["tool"], one["arguments"])[1] for one in calls["calls"] if "says" in one):
        wrong.append(f"it works without {calls['key']}: there is a key in the code")
    if any(not line.endswith(" 401") for line in service.requests()[before:]):
        wrong.append("the service took a key that was not in the environment")
    bare.stop()
    service.stop()
    history = subprocess.run(["git", "log", "-p", "--all"], capture_output=True, text=True, errors="replace").stdout
    listed = subprocess.run(["git", "ls-files", "-c", "-o", "--exclude-standard"], capture_output=True, text=True, check=True).stdout
    tree = {name: pathlib.Path(name).read_text(errors="replace") for name in listed.splitlines() if pathlib.Path(name).is_file()}
    for key in calls["secrets"]:
        forms = (key, key[-8:], base64.b64encode(key.encode()).decode().rstrip("="))
        wrong += [f"the key {key[:8]}… is in {name}" for name, text in {"the history": history, **tree}.items() if any(form in text for form in forms)]
    print("\n".join(wrong) or "no more rights than the tasks need")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
