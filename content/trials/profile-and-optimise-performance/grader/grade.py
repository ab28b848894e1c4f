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
PROBE = """import json, os, subprocess, sys
with open(sys.argv[3], "wb") as out:
    run = subprocess.Popen(["python3", "run.py", os.path.abspath(sys.argv[2])], cwd=sys.argv[1], stdout=out)
    _, code, used = os.wait4(run.pid, 0)
print(json.dumps([os.waitstatus_to_exitcode(code), used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""


def failed(why):
    print(why)
    sys.exit(10)


def rate(day):
    return next((price for first, price in STEPS if day >= first), 310)


def journal(seed, size):
    """Lines, and the answers: late readings, corrections, several a day, questions about nothing."""
    chance, lines, known, said = random.Random(seed), [], [], []
    for place in range(size):
        day = min(364, max(0, place * 365 // size - (chance.randint(0, 90) if chance.random() < 0.15 else 0)))
        known.append([day, f"K{chance.randint(1, 10)}", chance.randint(0, 9000)])
        lines.append("R {} {} {}".format(*known[-1]))
        if chance.random() < 0.04:
            where, value = chance.randrange(len(known)), chance.randint(-50, 9000)
            known[where][2] = value
            lines.append(f"C {where} {value}")
        if chance.random() < 0.25:
            first, meter = chance.randint(-3, 364), f"K{chance.randint(0, 10)}"
            last = first + chance.choice([-1, 0, 7, 90, 400])
            lines.append(f"Q {meter} {first} {last}")
            said.append(sum(wh * rate(day) for day, name, wh in known if name == meter and first <= day <= last))
    return "".join(line + "\n" for line in lines), "".join(f"{answer}\n" for answer in said)


def run(folder, name):
    asked = subprocess.run([os.environ["CHILD"], f"python3 probe.py {folder} {name} answers"], capture_output=True, text=True)
    try:
        code, seconds, memory = json.loads(asked.stdout.strip().splitlines()[-1])
        return code, float(seconds), int(memory), pathlib.Path("answers").read_text()
    except (ValueError, IndexError, OSError, TypeError):
        failed(f"run.py breaks on {name}: {asked.stdout[-500:]}")


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
    for size in (0, 1, 700):
        lines, said = journal(secrets.token_hex(4), size)
        pathlib.Path("fresh.txt").write_text(lines)
        code, _, _, answers = run(".", "fresh.txt")
        if code or answers != said:
            failed(f"wrong answers on a journal of {size} readings")
    lines, said = journal(secrets.token_hex(4), 12000)
    pathlib.Path("fresh.txt").write_text(lines)
    taken = {"before": [], ".": []}
    for _ in range(3):
        for folder, values in taken.items():
            code, seconds, memory, answers = run(folder, "fresh.txt")
            if folder == "." and (code or answers != said):
                failed("wrong answers on a journal of 12000 readings")
            values.append((seconds, memory))
    before, after = (statistics.median(seconds for seconds, _ in values) for values in taken.values())
    if before < 3 * after:
        failed(f"{before:.2f} s before, {after:.2f} s after: {before / after:.1f} times as fast, three were wanted")
    if max(m for _, m in taken["."]) > 1.3 * max(m for _, m in taken["before"]):
        failed(f"peak memory {taken}")
    print(f"{before / after:.1f} times as fast on fresh journals, with the same answers")
    sys.exit(0)


main()
