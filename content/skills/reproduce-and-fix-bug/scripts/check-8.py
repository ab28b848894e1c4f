"""Step 8: after every trigger each caller of the running program answers as it does in a fresh one, and nothing stays in use.

    check-8.py REPO BASE HEAD --start COMMAND --ready COMMAND --trigger COMMAND --caller COMMAND --idle COMMAND [--times 5]
        [--beside COMMAND PRINTS] [--scope PATH]

Commands run in a checkout. The program is started anew for each --trigger, which is given --times times; then every --caller is
asked once. What a caller should print and end with is what it does at BASE in a fresh program; a trigger's own answer stays
what it is there. --idle prints the use of what they share, best also by a meter outside the program: the same before and after.
--beside: what one trigger after the other cannot show, such as a refused write while another request is under way, as many
requests at once as there are places, or the program's other settings: a command, run in a checkout of HEAD, and what it prints.
--scope: nothing else is changed.
"""

import argparse
import contextlib
import pathlib
import subprocess
import sys
import time

from checkouts import checkout, git, ran, stop


@contextlib.contextmanager
def started(told, tree):
    program = subprocess.Popen(told.start, shell=True, cwd=tree, stdout=-3, stderr=-3, start_new_session=True)
    try:
        for _ in range(100):
            if ran(told.ready, tree)[0] == 0:
                break
            time.sleep(0.2)
        else:
            raise TimeoutError(f"{told.start!r} is not ready after 20 seconds")
        yield
    finally:
        stop(program)


def measured(told, ref):
    """Each trigger with its answer, those of the callers after it, and the use before and after; None: no trigger."""
    found = {}
    with checkout(told.repo, ref) as tree:
        for trigger in (None, *told.trigger):
            with started(told, tree):
                before = [ran(idle, tree) for idle in told.idle]
                own = [ran(trigger, tree) for _ in range(told.times)][0] if trigger else None
                answers = {caller: ran(caller, tree) for caller in told.caller}
                found[trigger] = own, answers, (before, [ran(idle, tree) for idle in told.idle])
    return found


def problems(told):
    old, new = measured(told, told.base), measured(told, told.head)
    right = old[None][1]
    print(f"answers that are not as in a fresh program, of {len(new)}, before and after the repair:")
    broken = 0
    for caller in told.caller:
        counts = [[trigger for trigger in found if found[trigger][1][caller] != right[caller]] for found in (old, new)]
        print(f"{len(counts[0]):3} {len(counts[1]):3}  {caller}")
        broken += len(counts[0])
        for trigger in counts[1]:
            is_now = new[trigger][1][caller]
            yield f"{caller} after {trigger or 'nothing'}: ends {is_now[0]} with {is_now[1].strip()[-80:]!r}"
    if not broken:
        yield f"no trigger breaks any caller at {told.base}: this load does not show the bug"
    for trigger, (own, _, (before, after)) in new.items():
        if own != old[trigger][0]:
            yield f"{trigger}: was {old[trigger][0]}, is {own}, and was to stay"
        for idle, was, is_now in zip(told.idle, before, after):
            if was != is_now:
                yield f"after {trigger or 'nothing'} {idle!r} prints {is_now[1].strip()!r}, before {was[1].strip()!r}"
    for command, due in told.beside:
        with checkout(told.repo, told.head) as tree:
            code, said = ran(command, tree)
        if code or said.strip() != due:
            yield f"{command} ends {code} with {said.strip()[-120:]!r}, not {due!r}"
    for path in git(told.repo, "diff", "--name-only", "--no-renames", told.base, told.head).split():
        if told.scope and not any(path == place or path.startswith(place.rstrip("/") + "/") for place in told.scope):
            yield f"{path} belongs neither to the cause nor to the tests"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("repo", type=pathlib.Path)
    parser.add_argument("base")
    parser.add_argument("head")
    for name in ("start", "ready"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("trigger", "caller", "idle"):
        parser.add_argument(f"--{name}", required=True, action="append")
    parser.add_argument("--beside", nargs=2, action="append", default=[])
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--scope", action="append", default=[])
    try:
        wrong = list(problems(parser.parse_args()))
    except (subprocess.CalledProcessError, TimeoutError) as error:
        wrong = [f"could not: {error} {getattr(error, 'stderr', '') or ''}"]
    print("\n".join(wrong) or "every caller answers as in a fresh program, and nothing stays in use")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
