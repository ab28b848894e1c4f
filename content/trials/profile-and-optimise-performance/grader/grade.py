# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""The outcome: on journals of its own the case's answers are right, and whole runs are three times as fast as on the base."""

import json
import os
import pathlib
import random
import secrets
import shutil
import statistics
import subprocess
import sys

GRADER = pathlib.Path(os.environ["GRADER"])
STEPS = ((320, 325), (273, 305), (181, 288), (90, 295))
PROBE = """import ctypes, json, os, signal, subprocess, sys, time
def children():
    return set(open(f"/proc/self/task/{os.getpid()}/children").read().split())
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # who outlives its parent becomes ours
before = children()
with open(sys.argv[2], "wb") as out:
    run = subprocess.Popen(["python3", *sys.argv[3:]], cwd=sys.argv[1], stdout=out)
    _, code, used = os.wait4(run.pid, 0)
seconds, memory, patience = used.ru_utime + used.ru_stime, used.ru_maxrss, time.monotonic() + 1
while left := children() - before:
    late = time.monotonic() > patience
    for child in left:
        if late:
            code = 99 << 8
            os.kill(int(child), signal.SIGKILL)
        pid, _, used = os.wait4(int(child), 0 if late else os.WNOHANG)
        if pid:
            seconds, memory = seconds + used.ru_utime + used.ru_stime, memory + used.ru_maxrss
    time.sleep(0.005)
print(json.dumps([os.waitstatus_to_exitcode(code), seconds, memory]))
"""
SEVERAL = """import sys
from billing.report import answers
from billing.store import Store
for name in sys.argv[1:]:
    with open(name) as journal:
        for answer in answers(Store(), journal):
            print(answer)
"""
REFUSED = ("R 3 A\n", "R x A 5\n", "R 3 A 5.5\n", "R 3 A 5\nC 1 7\nQ A 0 9\n", "C 0 1\n", "R 3 A 5\nQ A 0\n", "R 3 A 5\n\nQ A 0 9\n")
"""Journals that the base ends on with an error."""


def failed(why):
    print(why)
    sys.exit(10)


def rate(day):
    return next((price for first, price in STEPS if day >= first), 310)


def journal(seed, size, begin=0):
    """Lines, and the answers: late readings, corrections, several a day, questions about nothing, from a day onwards."""
    chance, lines, known, said = random.Random(seed), [], [], []
    by_name = {}
    for place in range(size):
        day = begin + min(364, max(0, place * 365 // size - (chance.randint(0, 90) if chance.random() < 0.15 else 0)))
        known.append([day, f"K{chance.randint(1, 10)}", chance.randint(0, 9000)])
        lines.append("R {} {} {}".format(*known[-1]))
        by_name.setdefault(known[-1][1], []).append(known[-1])
        if chance.random() < 0.04:
            where, value = chance.randrange(len(known)), chance.randint(-50, 9000)
            known[where][2] = value
            lines.append(f"C {where} {value}")
        if chance.random() < 0.25:
            first, meter = begin + chance.randint(-3, 364), f"K{chance.randint(0, 10)}"
            last = first + chance.choice([-1, 0, 7, 90, 400])
            lines.append(f"Q {meter} {first} {last}")
            said.append(sum(wh * rate(day) for day, _, wh in by_name.get(meter, ()) if first <= day <= last))
    return "".join(line + "\n" for line in lines), "".join(f"{answer}\n" for answer in said)


def run(folder, *words):
    asked = subprocess.run([os.environ["CHILD"], f"python3 probe.py {folder} answers {' '.join(words)}"], capture_output=True, text=True)
    try:
        code, seconds, memory = json.loads(asked.stdout.strip().splitlines()[-1])
        return code, float(seconds), int(memory), pathlib.Path("answers").read_text()
    except (ValueError, IndexError, OSError, TypeError):
        failed(f"{words[0]} breaks: {asked.stdout[-500:]}")


def right():
    """The answers on small journals: each alone, other days, what is refused, several in one process."""
    small = [journal(secrets.token_hex(4), size, begin) for size, begin in ((0, 0), (1, 0), (700, 0), (300, -500), (300, 900))]
    here = pathlib.Path.cwd()
    for number, (lines, said) in enumerate(small):
        pathlib.Path(f"small-{number}").write_text(lines)
        code, _, _, answers = run(".", "run.py", f"{here}/small-{number}")
        if code or answers != said:
            failed(f"wrong answers on the small journal {number}, exit code {code}")
    for lines in REFUSED:
        pathlib.Path("refused").write_text(lines)
        if not run(".", "run.py", f"{here}/refused")[0]:
            failed(f"{lines!r} was refused with an error, and is answered now")
    pathlib.Path("several.py").write_text(SEVERAL)
    order = [number for first in range(5) for number in (first, 2, 3, 4)]
    code, _, _, answers = run(".", "several.py", *(f"{here}/small-{number}" for number in order))
    if code or answers != "".join(small[number][1] for number in order):
        failed(f"wrong answers where one process works through several journals, exit code {code}")


def main():
    for name in ("store", "tariff", "report", "run", "bench"):
        place = pathlib.Path(f"{name}.py" if name in ("run", "bench") else f"billing/{name}.py")
        if not place.is_file():
            failed(f"{place} is gone")
    settings = json.loads(pathlib.Path("config.json").read_text())
    if settings != {"journal": "data/evening.txt", "lines": 100000, "rounds": 5}:
        failed("the benchmark's settings were changed")
    shutil.rmtree("before", ignore_errors=True)
    shutil.copytree("billing", "before/billing", ignore=lambda folder, names: names)
    pathlib.Path("before/billing/__init__.py").touch()
    for name in ("store", "tariff", "report"):
        pathlib.Path(f"before/billing/{name}.py").write_text((GRADER / f"{name}.txt").read_text())
    source = "import sys\nfrom billing.report import answers\nfrom billing.store import Store\nwith open(sys.argv[1]) as journal:\n"
    pathlib.Path("before/run.py").write_text(source + "    for answer in answers(Store(), journal):\n        print(answer)\n")
    pathlib.Path("probe.py").write_text(PROBE)
    right()
    taken = {"before": [], ".": []}
    for _ in range(3):
        lines, said = journal(secrets.token_hex(4), 12000)
        pathlib.Path("fresh.txt").write_text(lines)
        for folder, values in taken.items():
            code, seconds, memory, answers = run(folder, "run.py", os.path.abspath("fresh.txt"))
            if folder == "." and (code or answers != said):
                failed(f"wrong answers on a journal of 12000 readings, exit code {code}")
            values.append((seconds, memory))
    before, after = (statistics.median(seconds for seconds, _ in values) for values in taken.values())
    if before < 3 * after:
        failed(f"{before:.2f} s before, {after:.2f} s after: {before / after:.1f} times as fast, three were wanted")
    if max(m for _, m in taken["."]) > 1.3 * max(m for _, m in taken["before"]):
        failed(f"peak memory {taken}")
    print(f"{before / after:.1f} times as fast on fresh journals, with the same answers")
    sys.exit(0)


main()
