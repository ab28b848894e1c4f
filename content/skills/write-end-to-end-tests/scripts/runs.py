"""Playwright over the proxies of `wire.py`: each run is a project of its own, with its proxy as `baseURL`."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from wire import Server

CONFIG = """import user from './%s';
const all: any[] = (user as any).projects?.length ? (user as any).projects : [{}];
const main = all.find(one => one.name === process.env.CHECK_PROJECT)
  ?? all.find(one => !all.some(other => other.dependencies?.includes(one.name)));
const runs: any[] = %s;
export default {
  ...user, retries: 0, fullyParallel: true, workers: %d, outputDir: '%s',
  reporter: [['json', { outputFile: '%s/report.json' }]],
  projects: [...all.filter(one => main.dependencies?.includes(one.name)), ...runs.map(run => ({
    ...main, name: run.name, retries: 0, repeatEach: run.repeat, grep: new RegExp(run.grep), timeout: 120_000,
    expect: { ...(user as any).expect, timeout: run.patience },
    use: { ...(user as any).use, ...main.use, baseURL: run.url },
  }))],
};
"""
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
ENDS, KEYS = ("ts", "mts", "js", "mjs"), ("grep", "repeat", "patience")


def playwright():
    """The project's own Playwright, without the detour by npx where it lies here."""
    place = "node_modules/.bin/playwright"
    return [place] if os.path.exists(place) else ["npx", "playwright"]


def run(base, wanted, files, workers=2):
    """Run Playwright once, one project for each of `wanted`: the tests of each as (title, kind, message, file).

    Kinds: passed, failed, xfailed (expected and so), fixed (expected to fail, and passed), skipped, retried.
    """
    config = next((f"playwright.config.{end}" for end in ENDS if os.path.exists(f"playwright.config.{end}")), "")
    if not config:
        sys.exit("run this where playwright.config.ts is")
    servers, runs = [Server(base, one) for one in wanted], []
    for number, (one, server) in enumerate(zip(wanted, servers, strict=True)):
        own = {"name": f"run{number}", "url": f"http://127.0.0.1:{server.server_port}"}
        runs.append({"grep": ".", "repeat": 1, "patience": 5000} | {k: v for k, v in one.items() if k in KEYS} | own)
    environment = {name: text for name, text in os.environ.items() if name not in ("BASE_URL", "CI")}
    own = pathlib.Path(".check.config.ts")
    with tempfile.TemporaryDirectory() as place:
        own.write_text(CONFIG % (config.removesuffix(".ts"), json.dumps(runs), workers, f"{place}/out", place))
        try:
            command = [*playwright(), "test", "-c", str(own), *files]
            said = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        finally:
            own.unlink()
            for server in servers:
                server.shutdown()
                server.server_close()
        report = pathlib.Path(place, "report.json")
        told = json.loads(report.read_text("utf-8")) if report.exists() else {"errors": [{"message": said.stdout}]}
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
    errors = [error.get("message", "") for result in results for error in result.get("errors", ())]
    message = COLOURS.sub("", "\n".join(errors))
    if len(results) > 1:
        return "retried", message
    if last in ("skipped", "interrupted") or test["expectedStatus"] == "skipped":
        return "skipped", message
    if test["expectedStatus"] == "failed":
        return ("fixed" if last == "passed" else "xfailed"), message
    return ("passed" if last == "passed" else "failed"), message
