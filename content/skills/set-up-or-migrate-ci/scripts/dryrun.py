"""Runs a repository's GitHub workflows on this machine for one event, as far as a machine without GitHub can.

Triggers, filters, conditions, matrices, inputs, local reusable workflows and composite actions are followed; `run:` steps
run in a folder of their own. Other actions are passed over, but checkout and the two for artifacts. Secrets are markers,
and steps that see one are listed. Scripts that deploy are stubs: they are replaced by one that notes how it was called.
Needs PyYAML and bash.
"""

import glob
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

STUB = """#!/usr/bin/env python3
import json, os, sys
with open({calls!r}, "a") as file:
    file.write(json.dumps({{"file": {name!r}, "arguments": sys.argv[1:], "environment": dict(os.environ)}}) + "\\n")
"""
TOKEN = re.compile(r"\s*('(?:[^']|'')*'|-?\d+(?:\.\d+)?|&&|\|\||[=!<>]=|[<>!()\[\],.*]|[A-Za-z_][\w-]*)")
SECRET = re.compile("<secret ([^>]+)>")


class Secrets(dict):
    def get(self, name, default=None):
        return "token" if name.upper() == "GITHUB_TOKEN" else f"<secret {name.upper()}>"


class Expression:
    """One `${{ … }}`: `||` over `&&` over comparisons over values."""

    def __init__(self, text, scope):
        self.words, self.scope = TOKEN.findall(text), scope
        if "".join(self.words) != re.sub(r"\s+(?=(?:[^']*'[^']*')*[^']*$)", "", text):
            raise ValueError(f"cannot read the expression {text!r}")

    def take(self, *wanted):
        if self.words and (not wanted or self.words[0] in wanted):
            return self.words.pop(0)
        return None

    def either(self):
        value = self.both()
        while self.take("||"):
            other = self.both()
            value = value or other
        return value

    def both(self):
        value = self.compared()
        while self.take("&&"):
            other = self.compared()
            value = value and other
        return value

    def compared(self):
        value = self.single()
        while sign := self.take("==", "!=", "<", ">", "<=", ">="):
            a, b = plain(value), plain(self.single())
            value = {"==": a == b, "!=": a != b}.get(sign)
            if value is None:
                value = {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[sign]
        return value

    def single(self):
        word = self.take()
        if word == "!":
            return not self.single()
        if word == "(":
            value = self.either()
            self.take(")")
        elif word and word[0] == "'":
            value = word[1:-1].replace("''", "'")
        elif word and re.match(r"-?\d", word):
            value = float(word)
        elif self.take("("):
            given = []
            while not self.take(")"):
                given.append(self.either())
                self.take(",")
            value = self.called(word.lower(), given)
        else:
            value = {"true": True, "false": False, "null": None}.get(word, self.scope.get(word))
        while sign := self.take(".", "["):
            name = self.take() if sign == "." else self.either()
            if sign == "[":
                self.take("]")
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def called(self, name, given):
        state = self.scope["state"]
        texts = [text(one) for one in given]
        if name in ("always", "success", "failure", "cancelled"):
            return {"always": True, "success": not state, "failure": bool(state), "cancelled": False}[name]
        if name in ("startswith", "endswith"):
            return getattr(texts[0].lower(), name)(texts[1].lower())
        if name == "contains":
            whole = [text(one).lower() for one in given[0]] if isinstance(given[0], list) else texts[0].lower()
            return texts[1].lower() in whole
        if name == "format":
            return re.sub(r"\{(\d+)\}", lambda found: texts[int(found[1]) + 1], texts[0])
        if name == "fromjson":
            return yaml.safe_load(texts[0])
        if name in ("hashfiles", "tojson"):
            return name
        raise ValueError(f"cannot call {name}()")


def text(value):
    if value is None or isinstance(value, bool):
        return {None: "", True: "true", False: "false"}[value]
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def plain(value):
    """A value as GitHub compares it: text without case, true and false as numbers."""
    if isinstance(value, bool) or value is None:
        return "1" if value else "0" if value is False else ""
    return text(value).lower()


def filled(value, scope):
    if isinstance(value, dict):
        return {key: filled(one, scope) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one, scope) for one in value]
    if not isinstance(value, str) or "${{" not in value:
        return value
    whole = re.fullmatch(r"\s*\$\{\{((?:(?!\}\}).)*)\}\}\s*", value, re.S)
    if whole:
        return Expression(whole[1].strip(), scope).either()
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: text(Expression(found[1].strip(), scope).either()), value, flags=re.S)


def holds(condition, scope):
    """Whether an `if:` lets a job or step run; without a status function it asks for success as well."""
    if condition is None:
        return not scope["state"]
    bare = re.fullmatch(r"\s*\$\{\{(.*)\}\}\s*", str(condition), re.S)
    words = bare[1] if bare else text(condition)
    asks = re.search(r"\b(always|success|failure|cancelled)\(", words)
    return bool(Expression(words.strip(), scope).either()) and (bool(asks) or not scope["state"])


def listed(value):
    return value if isinstance(value, list) else [] if value is None else [value]


def matched(patterns, name):
    """GitHub's filter patterns: `*` stops at a slash, `**` does not, `!` takes back."""
    found = False
    for pattern in listed(patterns):
        body = re.escape(pattern.lstrip("!")).replace(r"\*\*", ".*").replace(r"\*", "[^/]*").replace(r"\?", "?")
        if re.fullmatch(body.replace(r"\[", "[").replace(r"\]", "]").replace(r"\+", "+"), name):
            found = not pattern.startswith("!")
    return found


def triggers(workflow):
    on = workflow.get("on", workflow.get(True))
    return on if isinstance(on, dict) else {name: None for name in listed(on)}


def starts(workflow, event):
    """Whether the event starts the workflow."""
    kind, ref, on = event["event"], event.get("ref", ""), triggers(workflow)
    if kind not in on:
        return False
    rule = on[kind] or {}
    if kind == "schedule":
        return event["cron"].split() in [one["cron"].split() for one in listed(rule)]
    if "types" in rule and event.get("action") and event["action"] not in listed(rule["types"]):
        return False
    name = ref.split("/", 2)[-1] if kind == "push" else event.get("base", "main")
    sort, other = ("tags", "branches") if ref.startswith("refs/tags/") else ("branches", "tags")
    if kind == "push" and not {sort, f"{sort}-ignore"} & set(rule) and {other, f"{other}-ignore"} & set(rule):
        return False
    if kind in ("push", "pull_request", "pull_request_target"):
        if sort in rule and not matched(rule[sort], name) or f"{sort}-ignore" in rule and matched(rule[f"{sort}-ignore"], name):
            return False
    changed = event.get("changed") if sort == "branches" else None
    if changed and "paths" in rule and not any(matched(rule["paths"], one) for one in changed):
        return False
    return not (changed and "paths-ignore" in rule and all(matched(rule["paths-ignore"], one) for one in changed))


def inputs_of(declared, given):
    """Inputs with their defaults, in their types."""
    found = {}
    for name, rule in (declared or {}).items():
        value = given.get(name, (rule or {}).get("default"))
        boolean = (rule or {}).get("type") == "boolean"
        found[name] = plain(value) in ("1", "true") if boolean else text(value)
    return found


def combinations(matrix):
    lists = {key: value for key, value in matrix.items() if key not in ("include", "exclude")}
    found = [dict(zip(lists, values, strict=True)) for values in itertools.product(*lists.values())] if lists else []
    found = [one for one in found if not any(rule.items() <= one.items() for rule in matrix.get("exclude", []))]
    for extra in matrix.get("include", []):
        fits = [one for one in found if all(one.get(key, value) == value for key, value in extra.items() if key in lists)]
        for one in fits:
            one.update(extra)
        found += [] if fits else [dict(extra)]
    return found or [{}]


class DryRun:
    """All workflows of `root` on one event: `result` (success, failure or none), and what they left."""

    def __init__(self, root, event, junit="reports/*.xml", stubs=(), shell=None):
        self.root, self.event, self.junit, self.stubs = pathlib.Path(root), event, junit, stubs
        self.shell = shell or here
        self.secret_steps, self.reports, self.artifacts, self.left, self.said = [], [], {}, {}, []
        self.room = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("DRYRUN_ROOM")))
        self.store = self.room / "artifacts"
        self.plan, self.limits = [], {}
        ref = event.get("ref", "refs/heads/main")
        kind = "tag" if ref.startswith("refs/tags/") else "branch"
        self.github = {
            "event_name": event["event"], "ref": ref, "ref_name": ref.split("/", 2)[-1], "ref_type": kind,
            "sha": "0" * 40, "repository": "owner/name", "head_ref": event.get("head", ""), "token": "token",
            "base_ref": event.get("base", ""), "actor": "somebody", "run_id": "1", "run_number": "1", "workflow": "w",
            "event": {"schedule": event.get("cron"), "inputs": event.get("inputs", {}), "action": event.get("action"),
                      "pull_request": {"head": {"repo": {"fork": False, "full_name": "owner/name"}}, "title": "A change"},
                      "repository": {"default_branch": "main", "full_name": "owner/name", "fork": False}},
        }  # fmt: skip
        results = [self.workflow(path) for path in sorted(self.root.glob(".github/workflows/*.y*ml"))]
        self.result = "failure" if "failure" in results else "success" if "success" in results else "none"
        noted = self.room / "calls"
        self.calls = [json.loads(line) for line in noted.read_text().splitlines()] if noted.exists() else []
        self.leaks = sorted(self.holding(self.room) - self.holding(self.root))

    def holding(self, folder):
        """The files below a folder that hold a secret, each by name and bytes; scripts of steps and notes of stubs apart."""
        files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
        own = {self.room / "calls", *self.room.glob("*/script")}
        return {(path.name, body) for path in files if path not in own and SECRET.search(body := path.read_text("latin-1"))}

    def limit(self, name, value):
        """Note a value that GitHub goes by and that changes nothing here."""
        self.limits.setdefault(name, set()).add(text(value))

    def workflow(self, path):
        workflow = yaml.safe_load(path.read_text())
        if not starts(workflow, self.event):
            return "none"
        declared = (triggers(workflow).get("workflow_dispatch") or {}).get("inputs")
        dispatched = self.event["event"] == "workflow_dispatch"
        inputs = inputs_of(declared, self.event.get("inputs", {})) if dispatched else {}
        group = workflow.get("concurrency")
        rule = filled(group if isinstance(group, dict) else {"group": group}, {"github": self.github, "inputs": inputs})
        each = text(rule["group"]).replace(self.github["ref"], "\0").replace(self.github["ref_name"], "\0")
        cancels = plain(rule.get("cancel-in-progress")) in ("1", "true")
        self.limit("concurrency", ("a ref" if "\0" in each else each) + (", cancels" if cancels else ""))
        return self.jobs(workflow, {"inputs": inputs, "secrets": Secrets()}, path.stem)

    def jobs(self, workflow, scope, name):
        """The result of the jobs of a workflow, called or started."""
        scope = {"github": self.github, "vars": {}, "runner": {"os": "Linux"}, "state": False, **scope}
        scope["env"] = filled(workflow.get("env") or {}, scope)
        waiting, done, outputs = dict(workflow["jobs"]), {}, {}
        while waiting:
            ready = [key for key, job in waiting.items() if set(listed(job.get("needs"))) <= set(done)]
            if not ready:
                raise ValueError(f"{name}: needs that no job meets")
            job, key = waiting.pop(ready[0]), ready[0]
            before = [done[need] for need in listed(job.get("needs"))]
            needs = {need: {"result": done[need], "outputs": outputs.get(need, {})} for need in listed(job.get("needs"))}
            inner = {**scope, "needs": needs, "state": any(one != "success" for one in before)}
            if not holds(job.get("if"), inner):
                done[key] = "skipped"
                continue
            results = []
            for matrix in combinations(filled((job.get("strategy") or {}).get("matrix") or {}, inner)):
                results.append(self.job(workflow, job, {**inner, "matrix": matrix, "state": False}, f"{name}/{key}", outputs, key))
            forgiven = plain(filled(job.get("continue-on-error"), inner)) in ("1", "true")
            done[key] = "failure" if "failure" in results and not forgiven else "success"
        return "failure" if "failure" in done.values() else "success"

    def job(self, workflow, job, scope, name, outputs, key):
        if "uses" in job:
            if not job["uses"].startswith(("./", "$/")):
                raise ValueError(f"{name}: {job['uses']} is in another repository: copy it here to try it")
            called = yaml.safe_load((self.root / job["uses"].lstrip("$/")).read_text())
            declared = triggers(called)["workflow_call"] or {}
            given = {key: text(value) for key, value in filled(job.get("with") or {}, scope).items()}
            secrets = scope["secrets"] if job.get("secrets") == "inherit" else filled(job.get("secrets") or {}, scope)
            return self.jobs(called, {"inputs": inputs_of(declared.get("inputs"), given), "secrets": secrets}, name)
        for limit in ("timeout-minutes", "runs-on"):
            self.limit(limit, filled(job.get(limit), scope))
        place = pathlib.Path(tempfile.mkdtemp(dir=self.room))
        files = {kind: place / kind for kind in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.touch()
        (place / "work").mkdir()
        scope = {**scope, "env": {**scope["env"], **filled(job.get("env") or {}, scope)}, "steps": {}}
        given = {**{kind: str(file) for kind, file in files.items()}, "GITHUB_WORKSPACE": str(place / "work"), "CI": "true"}
        given |= {f"GITHUB_{key.upper()}": text(value) for key, value in self.github.items() if isinstance(value, str)}
        defaults = {**((workflow.get("defaults") or {}).get("run") or {}), **((job.get("defaults") or {}).get("run") or {})}
        failed = self.steps(job.get("steps") or [], scope, place, files, given, defaults, name)
        outputs[key] = filled(job.get("outputs") or {}, scope)
        self.collect(place / "work", name)
        return "failure" if failed else "success"

    def steps(self, steps, scope, place, files, given, defaults, name):
        for step in steps:
            scope["env"] = {**scope["env"], **pairs(files["GITHUB_ENV"])}
            inner = {**scope, "env": {**scope["env"]}}
            inner["env"] |= filled(step.get("env") or {}, inner)
            if not holds(step.get("if"), inner):
                continue
            step = filled({key: value for key, value in step.items() if key != "if"}, inner)
            good = self.step(step, inner, place, files, given, defaults, name)
            if "id" in step:
                result = "success" if good else "failure"
                scope["steps"][step["id"]] = {"outputs": pairs(files["GITHUB_OUTPUT"]), "outcome": result, "conclusion": result}
            scope["state"] = scope["state"] or not (good or plain(step.get("continue-on-error")) in ("1", "true"))
        return scope["state"]

    def step(self, step, scope, place, files, given, defaults, name):
        uses, options, work = step.get("uses", ""), step.get("with") or {}, place / "work"
        environment = {key: text(value) for key, value in scope["env"].items()}
        seen = sorted(set(SECRET.findall(" ".join([step.get("run", ""), *environment.values(), *map(text, options.values())]))))
        if seen:
            self.secret_steps.append({"step": name, "secrets": seen, "run": step.get("run", uses), "env": environment})
        if uses.startswith(("./", "$/")):
            action = next(pathlib.Path(self.root, uses.lstrip("$/")).glob("action.y*ml"))
            inside = yaml.safe_load(action.read_text())
            below = {**scope, "inputs": inputs_of(inside.get("inputs"), options), "steps": {}, "state": False}
            return not self.steps(inside["runs"]["steps"], below, place, files, given, {}, f"{name}/{uses}")
        if re.match("actions/checkout@", uses):
            self.checkout(work / options.get("path", "."))
        elif re.match("actions/upload-artifact@", uses):
            self.limit("retention-days", options.get("retention-days"))
            for pattern in text(options.get("path")).split("\n"):
                for found in glob.glob(str(work / pattern.strip()), recursive=True) if pattern.strip() else []:
                    self.keep(found, text(options.get("name", "artifact")))
        elif re.match("actions/download-artifact@", uses):
            return self.fetch(work / text(options.get("path")), options)
        if "run" not in step:
            return True
        self.plan.append((name, step["run"], sorted(environment.items())))
        shell = step.get("shell", defaults.get("shell", "bash -e {0}"))
        shell = {"bash": "bash --noprofile --norc -eo pipefail {0}", "sh": "sh -e {0}", "python": "python3 {0}"}.get(shell, shell)
        script = place / "script"
        script.write_text(step["run"])
        folder = work / step.get("working-directory", defaults.get("working-directory", "."))
        code, said = self.shell(shell.replace("{0}", str(script)), {**given, **environment}, folder)
        self.said.append(f"{name}: {step.get('name', step['run'].splitlines()[0])}: exit code {code}\n{said}")
        return code == 0

    def checkout(self, place):
        shutil.copytree(self.root, place, symlinks=True, dirs_exist_ok=True)
        for name in self.stubs:
            (place / name).write_text(STUB.format(calls=str(self.room / "calls"), name=name))

    def keep(self, found, name):
        (self.store / name).mkdir(exist_ok=True, parents=True)
        if os.path.isdir(found):
            shutil.copytree(found, self.store / name, dirs_exist_ok=True)
        else:
            shutil.copy(found, self.store / name)

    def fetch(self, place, options):
        """One artifact lies in the folder itself; of several each has a folder of its name, unless they are merged."""
        named = options.get("name")
        merged = named or plain(options.get("merge-multiple")) in ("1", "true")
        wanted = [path for path in self.store.glob("*") if not named or path.name == named]
        for path in wanted:
            shutil.copytree(path, place if merged else place / path.name, dirs_exist_ok=True)
        return bool(wanted) or not named

    def collect(self, work, name):
        self.left[name] = work
        self.reports += sorted(work.glob(self.junit))
        if self.store.is_dir():
            self.artifacts = {path.name: path.stat().st_size for path in self.store.rglob("*") if path.is_file()}


def pairs(file):
    """NAME=value lines, and values between NAME<<END and END."""
    found, text_ = {}, file.read_text()
    for name, end, value in re.findall(r"^([\w-]+)<<(\S+)\n(.*?)\n\2$", text_, re.M | re.S):
        found[name] = value
    return found | dict(re.findall(r"^([\w-]+)=(.*)$", text_, re.M))


def here(command, environment, folder):
    basic = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/tmp"), "LANG": "C.UTF-8"}
    done = subprocess.run(["bash", "-c", command], env={**basic, **environment}, cwd=folder, capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr)[-400:]


if __name__ == "__main__":
    run = DryRun(".", yaml.safe_load(sys.argv[1]))
    print(f"{run.result}\n" + "\n".join(run.said))
