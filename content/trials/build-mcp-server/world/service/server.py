"""The help desk for tests: server.py PORT DATA LOG. API.md describes it; DATA is read anew for each request."""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

PORT, DATA, LOG = int(sys.argv[1]), sys.argv[2], sys.argv[3]


class Desk(BaseHTTPRequestHandler):
    def log_message(self, *words):
        pass

    def answer(self, code, body):
        with open(LOG, "a") as log:
            log.write(f"{self.command} {self.path} {code}\n")
        said = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def handle_any(self):
        with open(DATA) as file:
            data = json.load(file)
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        key = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        if not key.startswith("hd-"):
            return self.answer(401, {"error": "no key"})
        url = urlparse(self.path)
        asked = {name: values[0] for name, values in parse_qs(url.query).items()}
        tickets = {one["id"]: one for one in data["tickets"]}
        if self.command == "POST" and (found := re.fullmatch(r"/tickets/([^/]+)/comments", url.path)):
            if not key.startswith("hd-write"):
                return self.answer(403, {"error": "this key reads only"})
            return self.answer(201 if found[1] in tickets else 404, {"body": json.loads(body or b"{}")})
        if self.command != "GET":
            return self.answer(405, {"error": "no such method"})
        if url.path == "/tickets":
            rows = [one for one in tickets.values() if asked.get("st", str(one["st"])) == str(one["st"])]
            rows = [one for one in rows if asked.get("q", "").lower() in one["title"].lower()]
            page = int(asked.get("page", 1))
            return self.answer(200, {"total": len(rows), "items": rows[(page - 1) * 50 : page * 50]})
        if url.path == "/customers":
            return self.answer(200, {"items": [one for one in data["customers"] if asked.get("q", "").lower() in one["name"].lower()]})
        sort, _, name = url.path.strip("/").partition("/")
        one = tickets.get(name) if sort == "tickets" else {c["id"]: c for c in data["customers"]}.get(name)
        self.answer(200 if one else 404, one or {"error": "not found"})

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any


ThreadingHTTPServer(("127.0.0.1", PORT), Desk).serve_forever()
