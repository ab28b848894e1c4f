"""refusal.py FILE: ask the provider who the bearer of the token in FILE is, and print the status: 200 or 401."""

import hashlib
import http.server
import json
import pathlib
import sys
import threading
import urllib.error
import urllib.request

KEYS = json.loads(pathlib.Path(__file__).with_name("keys.json").read_text())


class Provider(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        token = (self.headers["Authorization"] or "").removeprefix("Bearer ")
        key = KEYS.get(hashlib.sha256(token.encode()).hexdigest())
        self.send_response(200 if key and key["state"] == "active" else 401)
        self.end_headers()

    def log_message(self, *words):
        pass


if __name__ == "__main__":
    server = http.server.HTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    token = pathlib.Path(sys.argv[1]).read_text().strip()
    ask = urllib.request.Request(f"http://127.0.0.1:{server.server_port}/v1/me", headers={"Authorization": f"Bearer {token}"})
    try:
        print(urllib.request.urlopen(ask).status)
    except urllib.error.HTTPError as error:
        print(error.code)
