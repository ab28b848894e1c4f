# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""The outcome: express 5 runs, in slices that each pass the old tests, and every answer is what it was."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

GRADER, TOOLS = pathlib.Path(os.environ["GRADER"]), pathlib.Path(os.environ["TOOLS"])


def failed(why):
    print(why)
    sys.exit(10)


def child(command):
    said = subprocess.run([os.environ["CHILD"], command], capture_output=True, text=True)
    return said.returncode, said.stdout


def git(*words):
    ran = subprocess.run(["git", *words], capture_output=True, text=True)
    if ran.returncode:
        failed(f"git {' '.join(words)}: {ran.stderr[-200:]}")
    return ran.stdout


def tested(folder):
    """The old tests over a tree: they all pass, once."""
    test = (GRADER / "base/test/app.test.js").read_text()
    shutil.rmtree(f"{folder}/test", ignore_errors=True)
    pathlib.Path(folder, "test").mkdir()
    pathlib.Path(folder, "test/app.test.js").write_text(test)
    code, said = child(f"cd {folder} && node install.js && timeout 100 node --test --test-reporter=tap test/")
    names = re.findall(r'^test\("([^"]+)"', test, re.M)
    passed = re.findall(r"^\s*ok \d+ - (.*)$", said, re.M)
    missing = [name for name in names if passed.count(name) != 1]
    if code or missing:
        failed(f"{folder}: exit code {code}, not passed: {missing}")


def answers(folder, hook=""):
    shutil.copy(GRADER / "replay.js", "replay.js")
    code, said = child(f"cd {folder} && node install.js && cd .. && timeout 100 node replay.js {folder} given.json {hook}")
    try:
        return [] if code else json.loads(pathlib.Path("given.json").read_text())
    except (OSError, ValueError):
        failed(f"{folder} gives no answers: {said[-300:]}")


def pieces(text):
    """Runs of ten words; comments, layout and names of variables are set aside, for those are soon changed."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"""(["'`])(?:\\.|(?!\1).)*\1""", "t", text)
    text = re.sub(r"\b(?:let|const)\b", "var", text)
    text = re.sub(r"(?<![.\w$])(?!(?:if|else|for|while|return|function|new|typeof|var|this|throw)\b)[A-Za-z_$][\w$]*", "n", text)
    words = re.findall(r"[\w$]+|[^\s\w;,{}()]", text)
    return {tuple(words[place : place + 12]) for place in range(len(words) - 11)}


def copied():
    """A file of the old release that for the most part stands in the tree."""
    tree = [pathlib.Path(name) for name in git("ls-files").splitlines() if name.endswith((".js", ".cjs", ".mjs", ".txt"))]
    own = set().union(*(pieces(path.read_text(errors="replace")) for path in tree if path.is_file()))
    now = set().union(*(pieces(path.read_text()) for path in (TOOLS / "node_modules/express5/lib").rglob("*.js")))
    now |= pieces((TOOLS / "node_modules/router/index.js").read_text()) | pieces((TOOLS / "node_modules/router/lib/route.js").read_text())
    for old in (TOOLS / "node_modules/express4/lib").rglob("*.js"):
        theirs = pieces(old.read_text()) - now
        if len(theirs & own) > max(40, 0.4 * len(theirs)):
            return f"{old.name} of express 4 stands in the repository"
    return ""


def sitemap(folder):
    code, _ = child(f"cd {folder} && node jobs/sitemap.js")
    place = pathlib.Path(folder, "sitemap.txt")
    return code, place.read_text(errors="replace")[:10_000] if place.is_file() else None


def main():
    if git("status", "--porcelain", "--untracked-files=no"):
        failed("there are changes that are not committed")
    first = git("rev-list", "--max-parents=0", "HEAD").split()[0]
    if git("log", "-1", "--format=%s", first).strip() != "A desk for tickets":
        failed("the first commit is another one")
    commits = git("rev-list", "--reverse", "--first-parent", f"{first}..HEAD").split()
    if len(commits) < 2:
        failed("there are no slices")
    if (pathlib.Path("install.js").read_text()) != "".join((GRADER / "base/install.js").read_text().splitlines(True)[1:]):
        failed("install.js was changed")
    own = json.loads(pathlib.Path("package.json").read_text())
    if not re.fullmatch(r"[\^~]?5(\.\d+)*(\.x)?", own.get("dependencies", {}).get("express", "")):
        failed("package.json does not ask for express 5")
    peers = json.loads(pathlib.Path("vendor/desk-audit/package.json").read_text()).get("peerDependencies", {}).get("express", "*")
    if not re.search(r"(?:^|[|^~\s=])5|\*|>=? ?[45]", peers):
        failed(f"desk-audit still asks for express {peers}")
    for name, pattern in (("Dockerfile", r"FROM node:(\d+)"), (".nvmrc", r"^v?(\d+)")):
        found = re.search(pattern, pathlib.Path(name).read_text() if pathlib.Path(name).exists() else "")
        if not found or int(found[1]) < 18:
            failed(f"{name} still names an old Node")
    if copied():
        failed(copied())
    for place, commit in enumerate(commits):
        changed = git("diff", "--name-status", "-M40%", f"{commit}~", commit).splitlines()
        if any(line[0] in "RD" for line in changed):
            failed(f"{commit[:9]} renames or removes: {changed}")
        counted = [line.split("\t") for line in git("diff", "--numstat", f"{commit}~", commit).splitlines()]
        if sum(int(a) + int(r) for a, r, name in counted if a != "-" and not name.endswith(("-lock.json", ".md"))) > 120:
            failed(f"{commit[:9]} changes more than 120 lines")
        pathlib.Path(f"slice{place}").mkdir()
        archive = subprocess.run(["git", "archive", commit], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", f"slice{place}"], input=archive, check=True)
        tested(f"slice{place}")
    shutil.copytree(GRADER / "base", "before")
    pathlib.Path("before/files").mkdir()
    pathlib.Path("before/files/help.txt").write_text("How to reach us: 555-0100\n")
    was, now = answers("before"), answers(f"slice{len(commits) - 1}")
    if len(was) != 36:
        sys.exit(f"the old build gives {len(was)} answers")
    for old, new in zip(was, now or [None]):
        if old != new:
            failed(f"{old} is now {new}")
    shutil.copy(GRADER / "renamed.cjs", "renamed.cjs")
    if (renamed := answers(f"slice{len(commits) - 1}", os.path.abspath("renamed.cjs"))) != now:
        failed(f"it lives by private names: {[pair for pair in zip(now, renamed) if pair[0] != pair[1]][:1]}")
    if sitemap(f"slice{len(commits) - 1}") != sitemap("before"):
        failed("the job of the night does not write what it wrote")
    code, said = child(f"cd slice{len(commits) - 1} && node -p 'require(\"express/package.json\").version'")
    if not said.startswith("5."):
        failed(f"express is {said}")
    print("express 5, slice by slice, and every answer is what it was")
    sys.exit(0)


main()
