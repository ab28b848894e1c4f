"""Step 5: the plan has every criterion as the tester wrote it, and each disagreement has a decision.

    check-5.py BASE SPEC PLAN

BASE is the commit before the plan, as the user wrote it down. Exit code 0: all as it should be.
"""

import pathlib
import re
import subprocess
import sys

from wire import ids


def main(base, spec, plan):
    wrong = []
    before = subprocess.run(["git", "show", f"{base}:{spec}"], capture_output=True, check=False)
    if before.returncode or before.stdout != pathlib.Path(spec).read_bytes():
        wrong.append(f"{spec} is not as it is in {base}: the criteria are the tester's")
    if not pathlib.Path(plan).exists():
        sys.exit("\n".join([*wrong, f"{plan} is not there"]))
    criteria = ids(spec)
    parts = re.split(r"^#+ *(.*?) *$", pathlib.Path(plan).read_text(encoding="utf-8"), flags=re.M)
    parts = dict(zip(["", *(name.lower() for name in parts[1::2])], parts[0::2], strict=True))
    missing = [name for name in ("disagreements", "unreachable") if name not in parts]
    wrong += [f"{plan} has no heading {name.capitalize()!r}" for name in missing]
    cases = " ".join(text for name, text in parts.items() if name not in ("disagreements", "unreachable"))
    pieces = re.split(r"\b([A-Z]+-\d+)\b", cases)
    planned = {}
    for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
        planned[name] = planned.get(name, "") + text
    unreachable = set(re.findall(r"\b[A-Z]+-\d+\b", parts.get("unreachable", "")))
    for name, values in criteria.items():
        if name not in planned and name not in unreachable:
            wrong.append(f"{name} is neither planned nor unreachable")
        gone = [value for value in values if name in planned and value not in planned[name]]
        wrong += [f"{name}: the plan does not name the result {value!r}" for value in gone]
    wrong += [f"{name} is no criterion of {spec}" for name in sorted(planned.keys() - criteria.keys())]
    for line in parts.get("disagreements", "").splitlines():
        if re.search(r"[A-Z]+-\d+", line) and not re.search(r"(page|criterion) wrong", line):
            wrong.append(f"no decision, `page wrong` or `criterion wrong`: {line.strip()}")
    print("\n".join(wrong) or f"{len(criteria)} criteria, {len(unreachable)} unreachable")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
