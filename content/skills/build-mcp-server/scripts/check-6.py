"""Step 6: without the option nothing writes, with it the service decides, no input reaches another address of the service,
and the key is nowhere but in the environment: not in git, not in an answer.

    check-6.py [calls.json]

Of the keys in the file that calls.json names, the first reads and the last writes.
"""

import base64
import pathlib
import re
import subprocess
import sys

from service import Failing, Service, load
from session import Session

STRANGE = ("../canary", "a/canary", "a?canary=1", "a&canary=1")
VALUES = {"boolean": [True], "integer": [1], "number": [1], "string": ["x"], "array": [[]], "object": [{}]}


def strayed(calls, session, service):
    """Texts with a path or a parameter in them, as every text of the known calls: none becomes one on the way."""
    before = len(service.requests())
    for one in [*calls["calls"], *calls["lists"]]:
        for name in [name for name, value in one["arguments"].items() if isinstance(value, str)]:
            for text in STRANGE:
                session.call(one["tool"], {**one["arguments"], name: text})
    for line in service.requests()[before:]:
        path, _, query = line.split()[1].partition("?")
        if "/canary" in path or re.search(r"(^|&)canary=1", query):
            yield f"an input became a path or a parameter of the service: {line}; encode it"


def values(rule):
    """What an input takes, by its schema."""
    if "anyOf" in rule:
        return [value for one in rule["anyOf"] for value in values(one)]
    types = rule["type"] if isinstance(rule.get("type"), list) else [rule.get("type")]
    return rule.get("enum") or [value for name in types for value in VALUES.get(name, [True])]


def switched(calls, session, tools):
    """Call each tool with every input that it has beside the known ones; the service's log shows what came of it."""
    known = {one["tool"]: one["arguments"] for one in [*calls["lists"], *calls["calls"]] if not one.get("refused")}
    for name, tool in tools.items():
        given = known.get(name, {})
        for field, rule in tool.get("inputSchema", {}).get("properties", {}).items():
            for value in values(rule) if field not in given else ():
                session.call(name, {**given, field: value})


def told(calls, key, option):
    """Everything that the tools say where the service fails in one way or another."""
    for status in (401, 403, 500):
        failing = Failing(status)
        session = Session(calls, failing, key, option)
        for one in [*calls["calls"], *calls["lists"], *calls["writes"]]:
            session.call(one["tool"], one["arguments"])
        failing.stop()
        session.call(calls["calls"][0]["tool"], calls["calls"][0]["arguments"])
        session.stop()
        yield from session.told


def main():
    calls, wrong = load(*sys.argv[1:]), []
    reads, writes = calls["secrets"][0], calls["secrets"][-1]
    service = Service(calls, calls["data"][0])
    closed = Session(calls, service, writes)
    for one in calls["writes"]:
        if one["tool"] in closed.tools() or not closed.call(one["tool"], one["arguments"])[1]:
            wrong.append(f"{one['tool']} is there without {calls['write_option']}")
    switched(calls, closed, closed.tools())
    wrong += strayed(calls, closed, service)
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
    said = [*closed.told, *opened.told, *told(calls, writes, [calls["write_option"]])]
    wrong += ["an answer holds the key: " + text.replace(writes, "…")[:160] for text in said if writes in text][:3]
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
