# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Whether the server answers as README.md and tools.md of the case demand, over records that it has never seen."""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

FAILED, ROOM = 10, pathlib.Path("/trial/.room")
TOOLS = {"find_tickets", "get_ticket", "find_customer", "add_comment"}


def failed(why):
    print(str(why)[:1200])
    sys.exit(FAILED)


def records():
    """Others than the case has: 74 tickets, 43 of them open; the last one has a long talk, and the last customer many tickets."""
    customers = [{"id": f"K{n}", "name": f"Person {n:02} Zeta", "email": f"p{n}@zeta.example", "tickets": [f"T-4{n:03}"]} for n in range(9)]
    tickets = [{"id": f"T-{4000 + n}", "title": f"Odd thing {n * 37}", "st": 0 if n < 43 else 1 + n % 2, "cust": f"K{n % 9}", "score": 0.5,
                "trace": "y" * 1500, "comments": [{"by": "desk", "text": f"Said {n * 91}"}]} for n in range(74)]  # fmt: skip
    tickets[-1]["comments"] = [{"by": "desk", "text": f"Line {n * 53} of the talk"} for n in range(900)]
    customers[-1]["tickets"] = [f"T-{5000 + n}" for n in range(900)]
    return {"tickets": tickets, "customers": customers}


def session(name, calls, key, option="", up=True, later=()):
    """Answers by number, from one server process; every line of its output must be a message.

    The calls that come `later` find other records in the service.
    """
    calls = [*calls, *later]
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "g", "version": "1"}}
    sent = [{"id": 0, "method": "initialize", "params": start}, {"method": "notifications/initialized"}, {"id": 1, "method": "tools/list", "params": {}}]
    sent += [{"id": n, "method": "tools/call", "params": {"name": tool, "arguments": given}} for n, (tool, given) in enumerate(calls, 2)]
    lines = [json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in sent]
    first = len(lines) - len(later)
    (ROOM / name).write_text("".join(lines[:first]))
    (ROOM / f"{name}.later").write_text("".join(lines[first:]))
    service = f"python3 -I .room/server.py 18080 .room/data.json .room/{name}.log & for n in $(seq 100); do python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", 18080))' 2> /dev/null && break; sleep 0.2; done;"
    wait = lambda count: f"for n in $(seq 150); do [ $(grep -c '\"result\"\\|\"error\"' .room/{name}.out) -ge {count - 1} ] && break; sleep 0.2; done"
    send = f"cat .room/{name}; {wait(first)}"
    if later:
        send += f"; cp .room/later.json .room/data.json; cat .room/{name}.later; {wait(len(sent))}"
    key = f"HELPDESK_KEY={key}" if key else ""
    command = f"{service if up else ''} touch .room/{name}.out; ({send}) | env HELPDESK_URL=http://127.0.0.1:18080 {key} timeout 60 node server.mjs {option} > .room/{name}.out 2> /dev/null; kill %1 2> /dev/null; true"
    subprocess.run([os.environ["CHILD"], command], capture_output=True)
    answers = {}
    for line in (ROOM / f"{name}.out").read_text(errors="replace").splitlines():
        try:
            message = json.loads(line)
            answers[message["id"]] = message
            assert message["jsonrpc"] == "2.0"
        except (ValueError, KeyError, TypeError, AssertionError):
            failed(f"{name}: no protocol message on standard output: {line[:200]}")
    log = ROOM / f"{name}.log"
    tools = {tool["name"]: tool for tool in answers.get(1, {}).get("result", {}).get("tools", [])}
    return tools, [said(answers.get(n, {})) for n in range(2, len(calls) + 2)], log.read_text().splitlines() if log.exists() else []


def said(message):
    if "result" not in message:
        return "", "protocol" if "error" in message else "none"
    text = "\n".join(part.get("text", "") for part in message["result"].get("content", []))
    return text + json.dumps(message["result"].get("structuredContent", "")), message["result"].get("isError", False)


def changed():
    data = records()
    for one in data["tickets"]:
        one["title"], one["st"] = one["title"].replace("Odd", "Even"), (one["st"] + 1) % 3
    return data


def reading():
    data = records()
    open_ = [one["id"] for one in data["tickets"] if one["st"] == 0]
    calls = [("find_tickets", {"status": "open", **({"offset": n} if n else {})}) for n in (0, 20, 40)]
    calls += [("get_ticket", {"ticket": "T-4037"}), ("find_customer", {"name": "Person 03 Zeta"})]
    refused = [("get_ticket", {"ticket": "T-1"}), ("find_customer", {"name": "Person 77"}), ("find_tickets", {"status": "odd"})]
    write = ("add_comment", {"ticket": "T-4001", "text": "x"})
    astray = [("get_ticket", {"ticket": "../customers/K3"}), ("get_ticket", {"ticket": "T-4001?st=1"}), ("find_customer", {"name": "Zeta&st=1"})]
    long = [("get_ticket", {"ticket": "T-4073"}), ("get_ticket", {"ticket": "T-4073", "offset": 880}), ("find_customer", {"name": "Person 08 Zeta"})]
    later = [("get_ticket", {"ticket": "T-4037"}), ("find_tickets", {"status": "open"})]
    tools, answers, log = session("reading", [*calls, *refused, write, *astray, *long], "hd-write-1", later=later)
    (ROOM / "data.json").write_text(json.dumps(data))
    if set(tools) != TOOLS - {"add_comment"}:
        failed(f"without the option: {sorted(tools)}")
    for number, page in enumerate((open_[:20], open_[20:40], open_[40:])):
        text, error = answers[number]
        if error or set(re.findall(r"T-\d{4}", text)) != set(page) or "yyyy" in text:
            failed(f"page {number}: {text[:300]}")
        if number < 2 and not re.search(rf"20 of 43 shown.*offset {20 * (number + 1)}\b", text) or number == 2 and "call again" in text:
            failed(f"the end of page {number}: {text[-200:]}")
    for (text, error), wanted in zip(answers[3:5], (["Odd thing 1369", "open", "Person 01 Zeta", "Said 3367"], ["p3@zeta.example", "T-4003"]), strict=True):
        if error or [word for word in wanted if word not in text]:
            failed(f"lacks one of {wanted}: {text[:300]}")
    for (text, error), call in zip(answers[5:8], refused, strict=True):
        if error is not True or len(text.split()) < 4:
            failed(f"{call}: no refusal: {text[:200]}")
    if not answers[8][1] or [line for line in log if not line.startswith("GET")]:
        failed("it writes without the option")
    paths = [line.split()[1] for line in log if not line.startswith("GET /tickets?")]
    if not all(error for _, error in answers[9:12]) or [path for path in paths if "/customers/K3" in path.split("?")[0] or "st=1" in re.split("[?&]", path)]:
        failed(f"an id or a name becomes a path or a parameter of the service: {answers[9:12]}")
    for (text, error), lines in zip(answers[12:14], (range(20), range(880, 900)), strict=True):
        if error or [int(n) // 53 for n in re.findall(r"Line (\d+) of the talk", text)] != [*lines]:
            failed(f"a long talk: {text[:200]}")
    if not re.search(r"20 of 900 shown.*offset 20\b", answers[12][0]) or "call again" in answers[13][0]:
        failed(f"the end of a long talk: {answers[12][0][-150:]}, {answers[13][0][-150:]}")
    if answers[14][1] or len(re.findall(r"T-5\d{3}", answers[14][0])) > 20 or "900" not in answers[14][0]:
        failed(f"a customer of many tickets: {answers[14][0][:200]}")
    fresh = [one["id"] for one in changed()["tickets"] if one["st"] == 0][:20]
    if "Even thing 1369" not in answers[15][0] or set(re.findall(r"T-\d{4}", answers[16][0])) != set(fresh):
        failed(f"the records changed, the answers did not: {answers[15][0][:200]}")
    known = {"find_tickets": {"status": "open"}, "get_ticket": {"ticket": "T-4001"}, "find_customer": {"name": "Person 03 Zeta"}}
    switches = [(name, {**known[name], field: value}) for name, tool in tools.items() for field in tool["inputSchema"].get("properties", {})
                if field not in known[name] for value in (True, 1, "x")]  # fmt: skip
    if [line for line in session("switches", switches, "hd-write-1")[2] if not line.startswith("GET")]:
        failed("a tool that reads writes with one of its inputs")


def writing():
    write = ("add_comment", {"ticket": "T-4001", "text": "x"})
    for key, code in (("hd-read-1", "403"), ("hd-write-1", "201")):
        tools, answers, log = session(f"with-{code}", [write], key, "--allow-writes")
        if set(tools) != TOOLS or tools["add_comment"].get("annotations", {}).get("readOnlyHint"):
            failed(f"with the option: {sorted(tools)}")
        if [line for line in log if line.startswith("POST")] != [f"POST /tickets/T-4001/comments {code}"] or bool(answers[0][1]) != (code == "403"):
            failed(f"a comment with {key}: {answers} {log}")
    agreed = re.findall(r"^## (\w+)\n.*?^> (.*?)$", pathlib.Path("tools.md").read_text(), re.M | re.S)
    for name, text in agreed:
        if " ".join(tools[name].get("description", "").split()) != text:
            failed(f"{name}: another description: {tools[name].get('description')}")
    kept = json.loads(pathlib.Path("tools.json").read_text())
    kept = {tool["name"]: tool["description"] for tool in (kept["tools"] if isinstance(kept, dict) else kept)}
    if kept != dict(agreed):
        failed("tools.json is not the list of tools")


def alone():
    reads = [("get_ticket", {"ticket": "T-4037"}), ("find_tickets", {})]
    _, answers, log = session("keyless", reads, "")
    if not all(error for _, error in answers) or [line for line in log if not line.endswith(" 401")]:
        failed("it works without a key")
    _, answers, _ = session("down", reads, "hd-read-1", up=False)
    if not all(error is True for _, error in answers):
        failed(f"with the service down: {answers}")
    if any("hd-read-1" in text for text, _ in answers):
        failed("with the service down it tells the key")


def tests():
    child = lambda command: subprocess.run([os.environ["CHILD"], command], capture_output=True).returncode
    if child("node --test"):
        failed("node --test fails")
    kept = pathlib.Path("tools.json")
    text = kept.read_text()
    for what, old, new in (("a renamed tool", '"get_ticket"', '"get_one_ticket"'), ("another input", '"ticket"', '"one_ticket"')):
        kept.write_text(text.replace(old, new))
        if text.count(old) and child("node --test") == 0:
            failed(f"{what} in the snapshot, and the tests pass")
    kept.write_text(text)


def keys():
    listed = subprocess.run(["git", "-c", "core.fsmonitor=", "ls-files", "-c", "-o", "--exclude-standard"], capture_output=True, text=True).stdout
    history = subprocess.run(["git", "-c", "core.fsmonitor=", "log", "-p", "--no-ext-diff", "--no-textconv", "--all"], capture_output=True, text=True, errors="replace").stdout
    texts = [history, *(pathlib.Path(name).read_text(errors="replace") for name in listed.splitlines() if pathlib.Path(name).is_file())]
    if any(key in text for key in ("7f21c09ab4", "e50b8d1177") for text in texts):
        failed("a key is in the repository")


def main():
    sums = dict(line.split()[::-1] for line in (pathlib.Path(os.environ["GRADER"]) / "files.sha256").read_text().splitlines()[1:])
    for name, wanted in sums.items():
        if not pathlib.Path(name).is_file() or hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest() != wanted:
            failed(f"{name} was changed")
    try:
        keys()
        ROOM.mkdir()
        (ROOM / "server.py").write_bytes(pathlib.Path("service/server.py").read_bytes())
        (ROOM / "data.json").write_text(json.dumps(records()))
        (ROOM / "later.json").write_text(json.dumps(changed()))
        reading()
        writing()
        alone()
        tests()
    except (OSError, KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        failed(f"it cannot be used: {error!r}")
    print("the server does what was agreed")


main()
