"""Steps 2 and 4: the server registers the tools of tools.md, few and shaped around tasks, with the descriptions agreed there.

    check-2.py [calls.json] [tools.md] [tasks.md]

In tools.md each tool is a heading `## name` with its description as a quotation (`> Use when … Not for … Example: …`);
in tasks.md each line is `- request -> first tool`. Exit code 0: they agree.
"""

import json
import pathlib
import re
import sys

from service import Service, load
from session import Session

FORWARDS = {"method", "path", "url", "endpoint", "body", "action", "params", "payload", "sql", "headers", "operation"}


def main():
    calls, tools, tasks = (sys.argv[1:] + ["calls.json", "tools.md", "tasks.md"][len(sys.argv) - 1 :])[:3]
    calls, wrong = load(calls), []
    agreed = dict(re.findall(r"^## +`?([\w.-]+)`?[^\n]*\n(.*?)(?=^## |\Z)", pathlib.Path(tools).read_text(), re.M | re.S))
    agreed = {name: " ".join(re.findall(r"^> ?(.*)", text, re.M)) for name, text in agreed.items()}
    service = Service(calls, calls["data"][0])
    session = Session(calls, service, calls["secrets"][0], [calls["write_option"]])
    listed = session.tools()
    session.stop()
    service.stop()
    if set(listed) != set(agreed) or not 0 < len(agreed) <= 8:
        wrong.append(f"agreed (at most 8): {sorted(agreed)}; registered: {sorted(listed)}")
    for name in set(listed) & set(agreed):
        said, wanted = (" ".join(text.split()) for text in (listed[name].get("description", ""), agreed[name]))
        if said != wanted:
            wrong.append(f"{name}: registered with {said!r}, agreed was {wanted!r}")
        parts = [said.find(part) for part in ("Use when", "Not for", "Example")]
        if -1 in parts or parts != sorted(parts) or min(len(one.split()) for one in re.split("Use when|Not for|Example", said)[1:]) < 3:
            wrong.append(f"{name}: a description says when to call it (Use when), when not (Not for), and an Example")
    for name, tool in listed.items():
        fields = tool.get("inputSchema", {}).get("properties", {})
        loose = [field for field, rule in fields.items() if field in FORWARDS or rule.get("type") == "object" and not rule.get("properties")]
        wrong += [f"{name}: {field} hands anything on to the service: shape it around a task" for field in loose]
    firsts = re.findall(r"^- .*-> *`?([\w.-]+)", pathlib.Path(tasks).read_text(), re.M)
    wrong += [f"{name} is the first tool of a request, and no tool" for name in sorted(set(firsts) - set(listed))]
    wrong += [f"{name} serves no request" for name in sorted(set(listed) - set(firsts))]
    print("\n".join(wrong) or f"{len(listed)} tools as agreed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
