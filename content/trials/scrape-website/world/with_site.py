"""python3 with_site.py COMMAND …: runs a command while the site is up at http://127.0.0.1:8077/."""

import http.server
import json
import subprocess
import sys
import threading
import time
import zlib

DATA = json.loads(zlib.decompress(open("site.dat", "rb").read()))


class Site(http.server.BaseHTTPRequestHandler):
    asked = {}

    def do_GET(self):
        path, agent = self.path, self.headers.get("User-Agent", "")
        page = DATA["pages"].get(path) or DATA["pages"].get(path.split("?")[0]) or {"status": 404, "body": "<h1>Not found</h1>"}
        status, body = page["status"], page["body"].encode(page.get("charset", "utf-8"))
        more = {}
        if page.get("closed") and "Mozilla" not in agent:
            status, body = 403, b"<html><title>403</title><h1>Forbidden</h1></html>"
        if page.get("busy") and path not in self.asked:
            status, body, more = 429, b"<h1>Too many requests</h1>", {"Retry-After": "1"}
        self.asked[path] = True
        with open("access.log", "a") as log:
            print(json.dumps([time.time(), path, status, agent]), file=log)
        self.send_response(status)
        kind = page.get("type", "text/html")
        self.send_header("Content-Type", f"{kind}; charset={page.get('charset', 'utf-8')}")
        self.send_header("Content-Length", str(len(body)))
        for name, value in more.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


http.server.ThreadingHTTPServer.allow_reuse_address = True
with http.server.ThreadingHTTPServer(("127.0.0.1", 8077), Site) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    code = subprocess.run(sys.argv[1:]).returncode
    server.shutdown()
sys.exit(code)
