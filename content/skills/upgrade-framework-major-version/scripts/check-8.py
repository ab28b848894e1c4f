"""Step 8: the saved requests and variants of them get the same answers from the old and the new build.

    check-8.py BASE --install 'npm ci' --serve 'node server.js' --requests requests.jsonl [--accepted differences.txt]

Both builds run in clean clones, on the port in $PORT. The requests are those of BASE, a JSON object a line: method, path, and
type, body, referer where there are any. Variants: nested, repeated and listed keys in query and form, no body, broken JSON,
a slash at the end, capitals, HEAD. --accepted: lines as this script prints them, each followed by ` # ` and who accepted it.
Compared are status, type, target of a redirect, and body. Exit code 0: no difference that nobody accepted.
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

FORM = "application/x-www-form-urlencoded"


def variants(request):
    """The request, and others that defaults decide about."""
    yield request
    path, method = request["path"], request["method"]
    first, _, query = path.partition("?")
    if method in ("GET", "HEAD"):
        keys = {part.split("=")[0] for part in query.split("&") if part} | {"filter", "a"}
        for key in sorted(keys):
            for tail in ("[status]=open", "[status][]=open", "[]=1", "=1&{}=2".format(key), "[__proto__]=1", ".b=1"):
                yield {**request, "path": f"{first}?{key}{tail}"}
        yield {**request, "method": "HEAD"}
        yield {**request, "path": first + "/"}
        yield {**request, "path": first.upper()}
        yield {**request, "path": first + "/%E0"}
    else:
        bare = {key: value for key, value in request.items() if key not in ("type", "body", "referer")}
        yield bare
        yield {**bare, "type": FORM, "body": "title=a&from[name]=b&list[]=1&list[]=2"}
        yield {**bare, "type": FORM, "body": ""}
        yield {**bare, "type": "application/json", "body": "{broken"}
        yield {**bare, "type": "application/json", "body": '{"title": "a", "from": {"name": "b"}}'}
        yield {**bare, "type": "text/plain", "body": "title=a"}
        yield {**bare, "referer": "/elsewhere?x=1"}


class Build:
    """One build, running."""

    def __init__(self, ref, place, told):
        subprocess.run(["git", "clone", "--quiet", ".", place], check=True)
        sha = subprocess.run(["git", "rev-parse", ref], capture_output=True, text=True, check=True).stdout.strip()
        subprocess.run(["git", "-C", place, "checkout", "--quiet", "--detach", sha], check=True)
        ran = subprocess.run(told.install, shell=True, cwd=place, capture_output=True, text=True)
        if ran.returncode:
            sys.exit(f"{ref} does not install: {ran.stderr[-600:]}")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        outside = {**os.environ, "PORT": str(self.port), "NODE_ENV": "production"}
        self.log = pathlib.Path(f"{place}.log")
        self.process = subprocess.Popen(
            told.serve,
            shell=True,
            cwd=place,
            env=outside,
            stdout=self.log.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.1)
                if self.process.poll() is not None:
                    break
        self.stop()
        sys.exit(f"{ref} does not start: {self.log.read_text()[-800:]}")

    def ask(self, request):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        heads = {"Content-Type": request.get("type"), "Referer": request.get("referer")}
        try:
            body = request.get("body")
            connection.request(request["method"], request["path"], body, {k: v for k, v in heads.items() if v})
            answer = connection.getresponse()
            kind, place = answer.getheader("content-type", ""), answer.getheader("location", "")
            return answer.status, kind.lower().replace(" ", ""), place, answer.read().decode(errors="replace")
        except (OSError, http.client.HTTPException) as error:
            return 0, "", "", type(error).__name__
        finally:
            connection.close()

    def stop(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    for name in ("install", "serve", "requests"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--accepted", type=pathlib.Path)
    told = parser.parse_args()
    saved = subprocess.run(
        ["git", "show", f"{told.base}:{told.requests}"], capture_output=True, text=True, check=True
    ).stdout
    asked = [variant for line in saved.splitlines() if line.strip() for variant in variants(json.loads(line))]
    accepted = set()
    if told.accepted and told.accepted.exists():
        accepted = {
            line.split(" # ")[0] for line in told.accepted.read_text().splitlines() if re.search(r" # \S", line)
        }
    wrong, new = [], None
    with tempfile.TemporaryDirectory() as place:
        old = Build(told.base, f"{place}/old", told)
        try:
            new = Build("HEAD", f"{place}/new", told)
            for request in asked:
                before, after = old.ask(request), new.ask(request)
                if before != after:
                    what = [f"{b!r} is now {a!r}" for b, a in zip(before, after) if a != b][0]
                    line = f"{request['method']} {request['path']} {request.get('type', '')} {request.get('body', '')}: {what}"[
                        :300
                    ]
                    wrong += [line] if line not in accepted and line not in wrong else []
        finally:
            for build in filter(None, (old, new)):
                build.stop()
    print("\n".join(wrong[:30]) or f"{len(asked)} answers are the same")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
