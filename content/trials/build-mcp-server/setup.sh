#!/bin/bash
# The service's records, the calls with known outcomes, keys outside git, and the SDK: `base`.
set -euo pipefail
python3 generate.py 3 service/data.json
python3 generate.py 11 service/changed.json
rm generate.py
printf 'HELPDESK_READ=hd-read-7f21c09ab4\nHELPDESK_WRITE=hd-write-e50b8d1177\n' > keys.env
ln -s "$TOOLS/node_modules" node_modules
printf '%s\n' node_modules keys.env > .gitignore
echo '{"name": "helpdesk", "private": true, "type": "module"}' > package.json
python3 - <<'PY'
import json
both = [json.load(open(f"service/{name}.json")) for name in ("data", "changed")]
def ticket(data, id):
    one = next(one for one in data["tickets"] if one["id"] == id)
    name = next(c["name"] for c in data["customers"] if c["id"] == one["cust"])
    return [one["title"], ("open", "waiting", "closed")[one["st"]], name, *(c["text"] for c in one["comments"])]
def person(data, name):
    one = next(c for c in data["customers"] if c["name"] == name)
    return [one["email"], *one["tickets"]]
def ids(data, st=None, text=""):
    return [one["id"] for one in data["tickets"] if st in (None, one["st"]) and text in one["title"].lower()]
calls = {
    "server": ["node", "server.mjs"], "write_option": "--allow-writes", "test": "node --test",
    "service": ["python3", "service/server.py", "{port}", "{data}", "{log}"], "data": ["service/data.json", "service/changed.json"],
    "environment": {"HELPDESK_URL": "http://127.0.0.1:{port}"}, "key": "HELPDESK_KEY", "keys": "keys.env",
    "rows": 20, "characters": 20000, "id": "T-[0-9]{4}", "never": ["xxxxxxxx", "\"score\""],
    "calls": [
        *({"tool": "get_ticket", "arguments": {"ticket": id}, "says": [ticket(data, id) for data in both]} for id in ("T-0007", "T-0098")),
        {"tool": "find_customer", "arguments": {"name": "Ada Moser"}, "says": [person(data, "Ada Moser") for data in both]},
        {"tool": "get_ticket", "arguments": {"ticket": "T-9999"}, "refused": True},
        {"tool": "find_customer", "arguments": {"name": "Nobody Known"}, "refused": True},
        {"tool": "find_tickets", "arguments": {"status": "burning"}, "refused": True}],
    "lists": [
        {"tool": "find_tickets", "arguments": {"status": "open"}, "next": "offset", "ids": [ids(data, 0) for data in both]},
        {"tool": "find_tickets", "arguments": {}, "next": "offset", "ids": [ids(data) for data in both]},
        {"tool": "find_tickets", "arguments": {"status": "waiting", "text": "printer"}, "next": "offset",
         "ids": [ids(data, 1, "printer") for data in both]}],
    "writes": [{"tool": "add_comment", "arguments": {"ticket": "T-0007", "text": "The part is here."},
                "request": "POST /tickets/T-0007/comments"}],
}
json.dump(calls, open("calls.json", "w"), indent=1)
PY
git init -q
git add -A
git commit -qm 'What the server is for, and the tools as agreed'
git tag base
