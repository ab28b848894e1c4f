"""Step 4: the tools say what the service says now, refuse what it refuses, and the tests notice when they do not.

    check-4.py [calls.json]

Each call is made over two sets of records that change beneath one session: an answer that was baked in or kept is wrong.
"""

import pathlib
import subprocess
import sys

from service import Service, load
from session import Session


def main():
    calls, wrong = load(*sys.argv[1:]), []
    service = Service(calls, calls["data"][0])
    session = Session(calls, service, calls["secrets"][0])
    for number, data in enumerate(calls["data"]):
        if number:
            service.change(pathlib.Path(data).read_bytes())
            session.call(calls["calls"][0]["tool"], calls["calls"][0]["arguments"])  # old connections end here
        for one in calls["calls"]:
            what, before = f"{one['tool']} {one['arguments']} over {data}", len(service.requests())
            said, refused = session.call(one["tool"], one["arguments"])
            if one.get("refused"):
                if refused is not True or len(said.split()) < 4 or "    at " in said or "Traceback" in said:
                    wrong.append(f"{what}: wanted isError and a sentence on what to do next, got {said[:150]!r}")
                continue
            lost = [word for word in one["says"][number] if word not in said]
            if refused or lost:
                wrong.append(f"{what}: does not say {lost or said[:150]}")
            if len(service.requests()) == before:
                wrong.append(f"{what}: never asked the service")
    session.stop()
    service.stop()
    tests = subprocess.run(calls["test"], shell=True, capture_output=True, text=True)
    if tests.returncode:
        wrong.append(f"{calls['test']}: {(tests.stdout + tests.stderr)[-300:]}")
    print("\n".join(wrong) or "every call as the service has it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
