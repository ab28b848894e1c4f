"""Faults on the wire between browser and application; the checks of this playbook share it.

Each run has a proxy of its own before the application, which changes or delays its answers; Playwright sees one
project a run, with the proxy as `baseURL`, so that tests, application and data stay as they are. A file of faults has
one a line (criterion, request, regular expression, what stands there instead):

    C-03 | POST /api/voucher | "72\\.00" | "172.00"
    mend C-07 | GET /api/basket after POST /api/orders | "count": 2 | "count": 0

`mend` says what would be right where the application is wrong today; `and` in the place of an id is one more change of
the fault above it; `first POST /api/voucher` changes only a session's first answer of the kind.
"""

import fnmatch
import http.client
import pathlib
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


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
        asked = re.fullmatch(r"(first )?([A-Z]+ \S+)(?: after ([A-Z]+ \S+))?", parts[1]) if len(parts) == 4 else None
        if not asked or (parts[0] == "and" and not found):
            sys.exit(f"{path}:{number}: write `id | METHOD /path | regular expression | text`, not {line!r}")
        if parts[0] != "and":
            fault = {"id": parts[0].removeprefix("mend "), "mend": parts[0].startswith("mend "), "edits": []}
            found.append(fault | {"name": f"{path}:{number}", "grep": rf"\b{fault['id']}\b", "used": False})
        found[-1]["edits"].append((asked[2], asked[1], asked[3], re.compile(parts[2], re.S), parts[3]))
    return found


class Proxy(BaseHTTPRequestHandler):
    """Passes requests on, and changes the answers by the server's `fault`."""

    protocol_version = "HTTP/1.1"

    def pass_on(self):
        base, asked, who = self.server.base, f"{self.command} {self.path}", self.headers.get("Cookie", "")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        dropped = ("host", "origin", "accept-encoding", "connection")
        sent = {name: text for name, text in self.headers.items() if name.lower() not in dropped}
        sent["Host"] = base.netloc
        if "Origin" in self.headers:
            sent["Origin"] = f"{base.scheme}://{base.netloc}"
        made = http.client.HTTPSConnection if base.scheme == "https" else http.client.HTTPConnection
        upstream = made(base.netloc, timeout=60)
        upstream.request(self.command, self.path, body, sent)
        reply = upstream.getresponse()
        data = self.changed(asked, who, reply.read())
        if self.headers.get("Sec-Fetch-Dest") == "empty":  # asked for by a script of the page
            time.sleep(self.server.fault.get("delay", 0))
        self.send_response(reply.status)
        for name, text in reply.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection", "etag"):
                self.send_header(name, text.replace(f"{base.scheme}://{base.netloc}", f"http://{self.headers['Host']}"))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else data)

    def changed(self, asked, who, data):
        """The answer with the fault in it; what a session asked before decides on `first` and `after`."""
        fault, seen = self.server.fault, self.server.seen
        for request, first, after, find, put in fault.get("edits", ()):
            past = any(one == who and fnmatch.fnmatch(said, after) for one, said in seen) if after else True
            if fnmatch.fnmatch(asked, request) and past and not (first and (who, asked) in seen):
                text, count = find.subn(put, data.decode("utf-8", "surrogateescape"), count=1 if first else 0)
                data, fault["used"] = text.encode("utf-8", "surrogateescape"), fault["used"] or bool(count)
        seen.add((who, asked))
        return data

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = pass_on

    def log_message(self, *_):
        """Keep quiet."""


class Server(ThreadingHTTPServer):
    """One proxy: where it leads, its fault, and what was asked so far."""

    request_queue_size = 64
    daemon_threads = True

    def __init__(self, base, fault):
        super().__init__(("127.0.0.1", 0), Proxy)
        self.base, self.fault, self.seen = urlsplit(base), fault, set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """A browser that goes away is no error."""
