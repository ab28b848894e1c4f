"""See README.md."""

import argparse
import glob
import hashlib
import json
import os
import pathlib
import random
import re
import runpy
import shutil
import sqlite3  # noqa: F401  for steps in forks
import subprocess
import sys
import tempfile
import traceback
import unittest  # noqa: F401  for steps in forks
import xml.etree.ElementTree  # noqa: F401  for steps in forks

HERE = pathlib.Path(__file__).resolve().parent
QUICK = re.compile(r"python3 (\S+\.py)((?: [\w$./-]+)*)")  # needs no shell; $NAME alone is replaced


def step(words, tree, env):
    """The exit code and output of a step; a Python file is run in a fork, which is quicker than a new interpreter."""
    found = QUICK.fullmatch(words)
    if not found:
        ran = subprocess.run(["bash", "-c", words], cwd=tree, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return ran.returncode, ran.stdout
    sys.stdout.flush()
    with tempfile.TemporaryFile() as out:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(out.fileno(), 2)
                os.chdir(tree)
                os.environ.clear()
                os.environ.update(env)
                sys.argv = [found[1], *os.path.expandvars(found[2]).split()]
                sys.path[0] = str((tree / found[1]).parent)
                sys.dont_write_bytecode = True
                runpy.run_path(found[1], run_name="__main__")
                code = 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
                if isinstance(end.code, str):
                    print(end.code)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(int(code))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        return code, out.read().decode(errors="replace")


class Run:
    def __init__(self, told, place):
        self.told, self.place, self.results, self.seconds, self.logs, self.reports = told, place, {}, {}, {}, {}
        self.source = place / "source"
        self.source.mkdir()
        archive = subprocess.run(["git", "archive", "HEAD"], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", self.source], input=archive, check=True)
        self.jobs = json.loads((self.source / "ci.json").read_text())["jobs"]

    def key(self, text):
        def hashed(found):
            files = sorted(path for name in found[1].split() for path in glob.glob(name, root_dir=self.source))
            return hashlib.sha256(b"".join(hashlib.sha256((self.source / path).read_bytes()).digest() for path in files)).hexdigest()[:12]

        return re.sub(r"\{hash:([^}]*)\}", hashed, text)

    def instance(self, name, job, shard):
        if name in self.told.cancel or f"{name}-{shard}" in self.told.cancel:
            return "cancelled", 0, ""
        tree = pathlib.Path(tempfile.mkdtemp(dir=self.place)) / "tree"
        shutil.copytree(self.source, tree)
        clock, log = tree.parent / "clock", ""
        clock.write_text("")
        needs = {need: self.results[need] for need in job.get("needs", [])}
        env = {"PATH": os.environ["PATH"], "HOME": str(tree.parent), "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
        env |= {"CI_CLOCK": str(clock), "CI_COSTS": str(HERE / "costs.json"), "NEEDS": json.dumps(needs), **job.get("env", {})}
        env |= {"SHARD": str(shard), "SHARDS": str(job.get("shards", 1))}
        more, result = 0, "success"
        caches = [(tree / one["path"], pathlib.Path(self.told.cache) / self.key(one["key"]).replace("/", "_")) for one in job.get("caches", [])]
        fresh = [one for one in caches if not one[1].exists()]
        for path, kept in caches:
            if kept.exists():
                shutil.copytree(kept, path, dirs_exist_ok=True)
                log += f"cache hit: {kept.name}\n"
                more += 3
        for one in job.get("download", []):
            shutil.copytree(self.place / "artifacts" / one["name"], tree / one["path"], dirs_exist_ok=True)
            more += 4
        for words in job["steps"]:
            code, text = step(words, tree, env)
            log += f"$ {words}\n{text}"
            if code:
                result = "success" if job.get("continue-on-error") else "failure"
                break
        if result == "success":
            for path, kept in fresh:
                shutil.copytree(path, kept)
                more += 4
            for one in job.get("upload", []):
                shutil.copytree(tree / one["path"], self.place / "artifacts" / one["name"])
                more += 4
        if "report" in job and (tree / job["report"]).is_file():
            self.reports[name if shard == 0 else f"{name}-{shard}"] = (tree / job["report"]).read_text()
        return result, more + sum(map(float, clock.read_text().split())), log

    def all(self):
        left = list(self.jobs)
        while left:
            name = next(one for one in left if not set(self.jobs[one].get("needs", [])) & set(left))
            left.remove(name)
            job, results = self.jobs[name], []
            blocked = any(self.results[need] != "success" for need in job.get("needs", []))
            for shard in range(1, job["shards"] + 1) if "shards" in job else [0]:
                title = name if shard == 0 else f"{name}-{shard}"
                result, seconds, log = ("skipped", 0, "") if blocked and not job.get("always") else self.instance(name, job, shard)
                self.seconds[title], self.logs[title] = seconds, log
                results.append(result)
                print(f"{log}job {title}: {result}")
            self.results[name] = next((one for one in ("failure", "cancelled", "skipped") if one in results), "success")

    def green(self):
        return all(result in ("success", "skipped") for name, result in self.results.items() if name == "gate" or "gate" not in self.results)

    def record(self, number, commit):
        dice = random.Random(f"{number} {self.told.runner}")
        speed = 0.55 if self.told.runner == "large" else 1.0
        took = {title: (seconds and seconds * speed * dice.uniform(0.92, 1.15)) for title, seconds in self.seconds.items()}
        ends = {}
        for name in self.results:
            mine = [title for title in took if title == name or re.fullmatch(rf"{re.escape(name)}-\d+", title)]
            begin = max((ends[need] for need in self.jobs[name].get("needs", [])), default=0)
            ends[name] = max(begin + (took[title] and took[title] + dice.uniform(4, 20)) for title in mine)
        minutes, billed = (round(seconds / 60, 2) for seconds in (max(ends.values()), sum(took.values())))
        told = {"id": number, "commit": commit, "runner": self.told.runner, "green": self.green(), "minutes": minutes, "billed": billed, "jobs": took}
        runs = pathlib.Path(self.told.runs)
        (runs / str(number)).mkdir(parents=True)
        for title, report in self.reports.items():
            (runs / str(number) / f"{title}.xml").write_text(report)
        (runs / f"{number}.json").write_text(json.dumps(told, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runner", default="small")
    parser.add_argument("--cancel", action="append", default=[])
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--runs", default=HERE / "runs")
    parser.add_argument("--cache", default=HERE / "cache")
    told = parser.parse_args()
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, check=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as place:
        run = Run(told, pathlib.Path(place))
        run.all()
        known = [int(path.stem) for path in pathlib.Path(told.runs).glob("*.json")]
        for number in range(told.times):
            run.record(max(known, default=100) + 1 + number, commit)
        print("green" if run.green() else "red")
        return 0 if run.green() else 1


if __name__ == "__main__":
    sys.exit(main())
