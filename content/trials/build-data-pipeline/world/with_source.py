"""with_source.py DAY COMMAND: the agency's interface, as it is on that day, at http://127.0.0.1:8088 while COMMAND runs.

    python3 with_source.py day-1 curl -s 'http://127.0.0.1:8088/stations?limit=2'

FAULT in the environment breaks it: `down` (500 from the sixth request on), `page` (200 and a web page, the same).
"""

import http.server
import json
import os
import subprocess
import sys
import threading
import time
import urllib.parse


class Source(http.server.BaseHTTPRequestHandler):
    asked = 0

    def do_GET(self):
        Source.asked += 1
        time.sleep(float(os.environ.get("SLOW", "0")))
        fault = os.environ.get("FAULT") if Source.asked > 5 else None
        if fault == "down":
            return self.answer(500, "text/plain", "error")
        if fault == "page":
            return self.answer(200, "text/html", "<html>We are back soon.</html>")
        if Source.asked in (4, 13):
            return self.answer(503, "text/plain", "busy")
        path, _, query = self.path.partition("?")
        asked = dict(urllib.parse.parse_qsl(query))
        limit = max(1, min(int(asked.get("limit", 100)), DATA["largest"]))
        if path == "/stations":
            begin = int(asked.get("offset", 0))
            items = [item for item in DATA["stations"][begin : begin + limit] if item]
            return self.answer(200, "application/json", json.dumps({"meta": {"agency": "flood"}, "items": items}))
        if path == "/readings":
            begin = int(asked.get("after", "r0")[1:])
            page = {"items": DATA["readings"][begin : begin + limit], "next": None}
            if begin + limit < len(DATA["readings"]):
                page["next"] = f"/readings?limit={limit}&after=r{max(begin + 1, begin + limit - 1)}"
            return self.answer(200, "application/json", json.dumps(page))
        return self.answer(404, "text/plain", "no such feed")

    def answer(self, status, kind, text):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status == 503:
            self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer.daemon_threads = True
with open(f"source/{sys.argv[1]}.json", encoding="utf-8") as file:
    DATA = json.load(file)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 8088), Source)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.exit(subprocess.run(sys.argv[2:]).returncode)
