"""Builds of a repository that run in clean clones, and the requests that they are asked.

No check of its own: `check-8.py` uses it.
"""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

FORM = "application/x-www-form-urlencoded"


def git(*words, folder="."):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout


def names_read(base):
    """Names that the code of the base reads from queries and forms."""
    found = subprocess.run(
        ["git", "grep", "-hoE", r"(query|body|params|GET|POST|args|form)(\.|\[|\.get\()['\"]?[A-Za-z]\w*", base],
        capture_output=True,
        text=True,
    ).stdout
    return {re.split(r"[.\['\"(]", line)[-1] for line in found.split()} - {"get"} | {"a"}


def variants(request, names):
    """The request, and others that defaults decide about."""
    yield request
    first, _, query = request["path"].partition("?")
    if request["method"] in ("GET", "HEAD"):
        for key in sorted({part.split("=")[0].split("[")[0] for part in query.split("&") if part} | names):
            for tail in ("[status]=open", "[b][]=1", "[]=1", f"=1&{key}=2", "[__proto__]=1", ".b=1"):
                yield {**request, "path": f"{first}?{key}{tail}"}
        yield {**request, "method": "HEAD"}
        for path in (first, first + "/", first.upper(), first + "/%E0"):
            yield {**request, "path": path}
    else:
        bare = {key: value for key, value in request.items() if key not in ("type", "body", "referer")}
        yield bare
        form = "&".join(f"{name}=a&{name}[name]=b&{name}[]=1" for name in sorted(names))
        body = json.dumps({name: {"name": "b"} for name in sorted(names)})
        for kind, text in (
            (FORM, "title=a&from[name]=b&list[]=1&list[]=2"),
            (FORM, form),
            (FORM, ""),
            ("application/json", "{broken"),
            ("application/json", '{"title": "a", "from": {"name": "b"}}'),
            ("application/json", body),
            ("text/plain", "title=a"),
        ):
            yield {**bare, "type": kind, "body": text}
        yield {**bare, "referer": "/elsewhere?x=1"}


class Build:
    """One version, installed, and running once it was started."""

    def __init__(self, ref, place, install):
        self.ref, self.place, self.process = ref, place, None
        git("clone", "--quiet", ".", place)
        git("checkout", "--quiet", "--detach", git("rev-parse", ref).strip(), folder=place)
        ran = subprocess.run(install, shell=True, cwd=place, capture_output=True, text=True)
        if ran.returncode:
            sys.exit(f"{ref} does not install: {ran.stderr[-600:]}")

    def did(self, job):
        """What a command does that is no server: exit code, output, and the files that it leaves, which are removed."""
        ran = subprocess.run(job, shell=True, cwd=self.place, capture_output=True, text=True)
        names = git("ls-files", "-o", "--exclude=node_modules", folder=self.place).splitlines()
        names += git("ls-files", "-m", folder=self.place).splitlines()
        left = {name: pathlib.Path(self.place, name).read_bytes()[:1_000_000] for name in names}
        git("clean", "-fdxq", "-e", "node_modules", folder=self.place)
        git("checkout", "--quiet", ".", folder=self.place)
        return ran.returncode, ran.stdout, left

    def start(self, serve, more):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        outside = {**os.environ, "PORT": str(self.port), "NODE_ENV": "production", **more}
        log = pathlib.Path(f"{self.place}.log")
        where = {"cwd": self.place, "env": outside, "stdout": log.open("wb"), "stderr": subprocess.STDOUT}
        self.process = subprocess.Popen(serve, shell=True, start_new_session=True, **where)
        for _ in range(600):
            try:
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.1)
                if self.process.poll() is not None:
                    break
        self.stop()
        sys.exit(f"{self.ref} does not start: {log.read_text()[-800:]}")

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
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
