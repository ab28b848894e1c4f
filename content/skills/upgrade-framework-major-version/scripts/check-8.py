"""Step 8: the old and the new build do the same: saved requests and variants, every route, and commands that are no server.

    check-8.py BASE --install 'npm ci' --serve 'node server.js' --requests requests.jsonl --routes 'node routes.js' \\
        [--job 'node jobs/night.js'] [--node] [--accepted ../differences.txt]

Both run in clean clones, on the port in $PORT. The requests are those of BASE, a JSON object a line: method, path, and type,
body, referer where there are any. --routes prints each route of BASE as `GET /items/:id`: what nobody saved is asked as well.
Variants: nested, repeated and listed keys, no body, broken JSON, a slash at the end, capitals, HEAD. Jobs are compared by exit
code, output and the files they leave. --node: packages' private names are renamed, and the new build answers as before.
--accepted is the owner's file, outside the repository: lines as printed here, each with ` # ` and who accepted it.
Exit code 0: no difference that nobody accepted.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from builds import Build, git, names_read, variants


def routes(base, told):
    """A request for each route of the base."""
    ran = subprocess.run(told.routes, shell=True, cwd=base.place, capture_output=True, text=True)
    if ran.returncode or not ran.stdout.strip():
        sys.exit(f"`{told.routes}` names no route of the base: {ran.stderr[-400:]}")
    for line in ran.stdout.splitlines():
        method, _, path = line.strip().partition(" ")
        for part in (r"[.]?:\w+\?", r"/?\*\w*", r":\w+"):
            path = re.sub(part, {r":\w+": "1", r"/?\*\w*": "/x"}.get(part, ""), path)
        yield {"method": method.upper(), "path": path or "/"}


def differences(asked, old, new):
    for request in asked:
        before, after = old.ask(request), new.ask(request)
        if before != after:
            what = [f"{b!r} is now {a!r}" for b, a in zip(before, after) if a != b][0]
            said = (request["method"], request["path"], request.get("type", ""), request.get("body", ""))
            yield f"{' '.join(said)}: {what}"[:300]


def compared(told, place, requests):
    """Every difference of the builds."""
    old, new = (Build(ref, f"{place}/{name}", told.install) for name, ref in (("old", told.base), ("new", "HEAD")))
    for job in told.job:
        before, after = old.did(job), new.did(job)
        for what, b, a in zip(("exit code", "output", "files that it leaves"), before, after):
            if b != a:
                yield f"`{job}`: {what}: {b!r} is now {a!r}"[:300]
    names = names_read(told.base)
    asked = [one for request in [*requests, *routes(old, told)] for one in variants(request, names)]
    builds = [old, new]
    try:
        old.start(told.serve, {})
        new.start(told.serve, {})
        yield from differences(asked, old, new)
        if told.node:
            new.stop()
            new.start(told.serve, {})
            builds.append(Build("HEAD", f"{place}/renamed", told.install))
            hook = pathlib.Path(__file__).with_name("renamed.cjs").resolve()
            builds[2].start(told.serve, {"NODE_OPTIONS": f"--require {hook}"})
            for line in differences(asked, new, builds[2]):
                yield f"with the private names of packages renamed: {line}"
    finally:
        for build in builds:
            build.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    for name in ("install", "serve", "requests", "routes"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--accepted", type=pathlib.Path)
    parser.add_argument("--job", action="append", default=[])
    parser.add_argument("--node", action="store_true")
    told, accepted = parser.parse_args(), set()
    saved = git("show", f"{told.base}:{told.requests}")
    requests = [json.loads(line) for line in saved.splitlines() if line.strip()]
    if told.accepted:
        if told.accepted.resolve().is_relative_to(pathlib.Path(git("rev-parse", "--show-toplevel").strip())):
            sys.exit(f"{told.accepted} lies where whoever does the upgrade writes: keep it outside the repository")
        lines = told.accepted.read_text().splitlines()
        accepted = {line.split(" # ")[0] for line in lines if re.search(r" # \S", line)}
    with tempfile.TemporaryDirectory() as place:
        wrong = [line for line in dict.fromkeys(compared(told, place, requests)) if line not in accepted]
    print("\n".join(wrong[:30]) or "the answers and the jobs are the same")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
