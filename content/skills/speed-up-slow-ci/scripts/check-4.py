"""Step 4: a run with full caches uses what was changed, and a run with empty ones is green.

    cd REPOSITORY; check-4.py HEAD --ci COMMAND --change "sed -i s/3.1/3.2/ x.lock => lib 3.2 => lib 3.1" [--change ...] --empty COMMAND
        [--ran REGEX]

--ci runs CI for the commit of the clone in which it is called, prints the logs and ends with 0 for green (on a forge: a script
that pushes HEAD to a throwaway branch and waits). After each --change, what the first text says must be in the logs and the
second nowhere; before it, the other way round. --empty clears the caches. --ran: what the logs say where tests run, such as their number; a
run with full caches says it as often as one with empty ones, since results are nothing to keep.
"""

import argparse
import re

from runs import clone_of, commit, run, said


def problems(told):
    ran = []
    for _ in range(2):
        with clone_of(told.head) as tree:
            green, log = run(told.ci, tree)
        ran.append(sorted(re.findall(told.ran, log)) if told.ran else [])
        if not green:
            yield f"CI is red on {told.head} itself"
            return
    if ran[0] != ran[1] or told.ran and not ran[0]:
        yield f"with empty caches the logs say {ran[0]}, and the second time {ran[1]}: tests did not run"
    for command, new, old in ([part.strip() for part in change.split(" => ")] for change in told.change):
        if old not in log or new in log:
            yield f"before {command} the logs should say {old!r} and not {new!r}"
        with clone_of(told.head) as tree:
            run(command, tree)
            if not commit(tree):
                yield f"{command} changes nothing"
                continue
            green, after = run(told.ci, tree)
        if new not in after:
            yield f"after {command} no log says {new!r}{'' if green else '; CI is red'}"
        for line in dict.fromkeys(line for line in after.splitlines() if old in line):
            yield f"after {command} a cache still gives: {line}"
    with clone_of(told.head) as tree:
        run(told.empty, tree)
        if not run(told.ci, tree)[0]:
            yield "with empty caches CI is red"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("head")
    for name in ("ci", "empty"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--change", action="append", required=True)
    parser.add_argument("--ran")
    said(problems(parser.parse_args()), "cached runs use what was changed")


if __name__ == "__main__":
    main()
