"""Faults on the wire between browser and application; the checks of this playbook share it.

Each run has a proxy of its own before the application, which changes or delays its answers; Playwright sees one project
a run, with the proxy as `baseURL`, so that tests, application and data stay as they are. A file of faults has one a line:

    C-03 | POST /api/voucher | "72.00" | "72.01"                             criterion | request | regular expression | instead
    mend C-07 | GET /api/basket after POST /api/orders | "count": 2 | "count": 0    what would be right, where it is wrong today
    and | GET /shop.js | count\\(0\\) | count(2)                             one more change of the fault above it
"""

import fnmatch
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

CONFIG = """import user from './%s';
const all: any[] = (user as any).projects?.length ? (user as any).projects : [{}];
const main = all.find(one => one.name === process.env.CHECK_PROJECT) ?? all.find(one => !all.some(p => p.dependencies?.includes(one.name)));
const runs: any[] = %s;
export default { ...user, retries: 0, fullyParallel: true, workers: %d, outputDir: '%s', reporter: [['json', { outputFile: '%s/report.json' }]],
  projects: [...all.filter(one => main.dependencies?.includes(one.name)), ...runs.map(run => ({ ...main, name: run.name, retries: 0,
    repeatEach: run.repeat, timeout: 120_000, expect: { ...(user as any).expect, timeout: run.patience }, grep: new RegExp(run.grep),
    use: { ...(user as any).use, ...main.use, baseURL: run.url } }))] };
"""
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def ids(spec):
    """Each criterion by its id, with the results in quotes."""
    found = re.findall(r"^\W*([A-Z]+-\d+)\W(.*)$", pathlib.Path(spec).read_text(encoding="utf-8"), re.M)
    return {name: re.findall(r'"([^"]+)"', text) for name, text in found}


def faults(path):
    """The faults of a file: name, id, whether it mends, and the changes."""
    found = []
    for number, line in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
        parts = line.strip().split(" | ")
        if not line.strip() or line.startswith("#"):
            continue
        asked = re.fullmatch(r"([A-Z]+ \S+)(?: after ([A-Z]+ \S+))?", parts[1].strip()) if len(parts) == 4 else None
        if not asked or (parts[0] == "and" and not found):
            sys.exit(f"{path}:{number}: write `id | METHOD /path | regular expression | text`, not {line!r}")
        if parts[0] != "and":
            fault = {"id": parts[0].removeprefix("mend "), "mend": parts[0].startswith("mend "), "edits": [], "used": False}
            found.append(fault | {"name": f"{path}:{number}", "grep": rf"\b{fault['id']}\b"})
        found[-1]["edits"].append((asked[1], asked[2], re.compile(parts[2], re.S), parts[3]))
    return found


class Proxy(BaseHTTPRequestHandler):
    """Passes requests on, and changes the answers by the server's `fault`."""

    protocol_version = "HTTP/1.1"

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        base, fault, who = self.server.base, self.server.fault, self.headers.get("Cookie", "")
        scheme = http.client.HTTPSConnection if base.scheme == "https" else http.client.HTTPConnection
        sent = {name: text for name, text in self.headers.items() if name.lower() not in ("host", "accept-encoding", "connection")}
        sent |= {"Host": base.netloc} | {"Origin": base.geturl()} if "Origin" in sent else {"Host": base.netloc}
        upstream = scheme(base.netloc, timeout=60)
        upstream.request(self.command, self.path, body, sent)
        reply = upstream.getresponse()
        data, asked = reply.read(), f"{self.command} {self.path}"
        for request, after, find, put in fault.get("edits", ()):
            if fnmatch.fnmatch(asked, request) and (not after or (who, after) in self.server.seen):
                text, count = find.subn(put, data.decode("utf-8", "surrogateescape"))
                data, fault["used"] = text.encode("utf-8", "surrogateescape"), fault["used"] or bool(count)
        self.server.seen.update((who, after) for _, after, *_ in fault.get("edits", ()) if after and fnmatch.fnmatch(asked, after))
        if self.headers.get("Sec-Fetch-Dest") == "empty":
            time.sleep(self.server.delay)
        self.send_response(reply.status)
        for name, text in reply.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection", "etag", "content-security-policy"):
                self.send_header(name, text.replace(base.geturl(), f"http://{self.headers['Host']}") if name == "Location" else text)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else data)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = pass_on

    def log_message(self, *_):
        """Keep quiet."""


class Server(ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True

    def handle_error(self, *_):
        """A browser that goes away is no error."""


def run(base, wanted, files, workers=2):
    """Run Playwright once, one project for each of `wanted`: the tests of each as (title, kind, message, file).

    Kinds: passed, failed, xfailed (expected and so), fixed (expected to fail, and passed), skipped, retried.
    """
    config = next((name for name in ("playwright.config.ts", "playwright.config.mts", "playwright.config.js", "playwright.config.mjs") if os.path.exists(name)), None)
    if not config:
        sys.exit("run this where playwright.config.ts is")
    servers, runs = [], []
    for number, one in enumerate(wanted):
        server = Server(("127.0.0.1", 0), Proxy)
        server.base, server.fault, server.delay, server.seen = urlsplit(base), one, one.get("delay", 0), set()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        runs.append({"name": f"run{number}", "url": f"http://127.0.0.1:{server.server_port}", "grep": one.get("grep", "."),
                     "repeat": one.get("repeat", 1), "patience": one.get("patience", 5000)})  # fmt: skip
    own = pathlib.Path(".check.config.ts")
    with tempfile.TemporaryDirectory() as place:
        own.write_text(CONFIG % (config.rsplit(".", 1)[0] if config.endswith(".ts") else config, json.dumps(runs), workers, place + "/out", place))
        try:
            said = subprocess.run(["npx", "playwright", "test", "-c", str(own), *files], capture_output=True, text=True, check=False,
                                  env={name: text for name, text in os.environ.items() if name not in ("BASE_URL", "CI")} | {"FORCE_COLOR": "0"})  # fmt: skip
        finally:
            own.unlink()
            for server in servers:
                server.shutdown()
                server.server_close()
        report = pathlib.Path(place, "report.json")
        told = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {"errors": [{"message": said.stdout + said.stderr}]}
    if told["errors"] and not told.get("suites"):
        sys.exit("Playwright did not run: " + told["errors"][0].get("message", "")[:1500])
    found = [[] for _ in wanted]
    for file in told["suites"]:
        for title, spec in specs(file, ""):
            for test in spec["tests"]:
                if test["projectName"].startswith("run"):
                    found[int(test["projectName"][3:])].append((title, *kind(test), spec["file"]))
    return found


def specs(suite, before):
    for spec in suite.get("specs", ()):
        yield f"{before}{spec['title']}", spec
    for inner in suite.get("suites", ()):
        yield from specs(inner, f"{before}{inner['title']} ")


def kind(test):
    results = test["results"]
    last = results[-1]["status"] if results else "skipped"
    message = COLOURS.sub("", "\n".join(error.get("message", "") for result in results for error in result.get("errors", ())))
    if len(results) > 1:
        return "retried", message
    if last in ("skipped", "interrupted") or test["expectedStatus"] == "skipped":
        return "skipped", message
    if test["expectedStatus"] == "failed":
        return ("fixed" if last == "passed" else "xfailed"), message
    return ("passed" if last == "passed" else "failed"), message
