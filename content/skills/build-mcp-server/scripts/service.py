"""The service beneath an MCP server, as `calls.json` describes it: a copy for tests, and one that fails. Standard library.

`calls.json` is written by a person, before the code: "server" and "service" (commands; {port}, {data} and {log} are
filled in), "environment", "key" (the variable of the key) and "keys" (a file outside git, NAME=value), "data" (two sets
of records), "calls" (with what an answer "says" for each set, or "refused"), "lists", "writes" and the limits. The log has
a line `METHOD PATH STATUS` for each request, the path as it came.
"""

import http.server
import json
import pathlib
import socket
import subprocess
import tempfile
import threading
import time


def load(name="calls.json"):
    found = json.loads(pathlib.Path(name).read_text())
    lines = pathlib.Path(found["keys"]).read_text().splitlines()
    found["secrets"] = [line.split("=", 1)[1].strip() for line in lines if "=" in line]
    return found


class Service:
    """The service for tests over one set of records; `requests` are those that reached it."""

    def __init__(self, calls, data):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        place = pathlib.Path(tempfile.mkdtemp())
        self.log, self.data = place / "log", place / "data"
        given = {"{port}": str(self.port), "{data}": str(self.data), "{log}": str(self.log)}
        self.command, self.process = [given.get(word, word) for word in calls["service"]], None
        self.change(pathlib.Path(data).read_bytes())

    def change(self, records):
        """The same service over other records, at the same address."""
        self.stop()
        self.data.write_bytes(records)
        for _ in range(300):
            if self.process is None or self.process.poll() is not None:
                self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise SystemExit("the service for tests does not start; nothing was checked")

    def requests(self):
        return self.log.read_text().splitlines() if self.log.exists() else []

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None


class Failing:
    """A service that answers each request with one status and no record."""

    def __init__(self, status):
        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
