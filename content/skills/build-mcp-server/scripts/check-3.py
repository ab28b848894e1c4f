"""Step 3: standard output holds protocol messages alone, on good calls, refusals, wrong arguments and a service that is down.

    check-3.py [calls.json]
"""

import subprocess
import sys

from service import Service, load
from session import Session


def main():
    calls, wrong = load(*sys.argv[1:]), []
    service = Service(calls, calls["data"][0])
    silent = subprocess.run(calls["server"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60).stdout
    if silent:
        wrong.append(f"it prints before anybody asks: {silent[:100]!r}")
    session = Session(calls, service, calls["secrets"][0], [calls["write_option"]])
    asked = [*calls["calls"], *calls["lists"], *calls["writes"]]
    for one in asked:
        session.call(one["tool"], one["arguments"])
        session.call(one["tool"], {name: 17 for name in one["arguments"]})
        if "next" in one:
            session.call(one["tool"], {**one["arguments"], one["next"]: 100000})
    session.call("no_such_tool", {})
    service.stop()
    for one in asked:
        said, refused = session.call(one["tool"], one["arguments"])
        if refused is not True or len(said.split()) < 4:
            wrong.append(f"{one['tool']} with the service down: no isError with a sentence, but {said[:100]!r}")
    if not session.alive or not session.tools():
        wrong.append("it does not answer initialize and tools/list to the end")
    wrong += [f"no protocol message on standard output: {line}" for line in session.stop()[:5]]
    print("\n".join(wrong) or "protocol messages alone")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
