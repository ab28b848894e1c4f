"""Step 8: what was built does its job where there is no source.

    check-8.py REPO HEAD --build COMMAND --artefact PATH --job 'COMMAND => OUTPUT' [--like GREEN --same COMMAND]
        [--beside FILE] [--env NAME=VALUE]

The artefact of a clean build is moved to an empty folder, and the jobs run there, with an empty environment. A job prints OUTPUT,
white space aside, and ends with 0; nothing after =>: it ends with another code. OUTPUT is that of the last good version, or a
known value. What --same prints is compared with the artefact of --like: give it values that no test holds. Before the jobs that
must be refused, --beside lays a file there that only a developer has, such as keys.
"""

import argparse
import contextlib
import pathlib
import shutil
import subprocess
import sys
import tempfile

from clean import clone, ran


@contextlib.contextmanager
def artefact(told, ref):
    """The folder where jobs of a clean build's artefact run, or None, and what the build said."""
    with tempfile.TemporaryDirectory() as place:
        target = pathlib.Path(place, pathlib.Path(told.artefact).name)
        with clone(told.repo, ref) as tree:
            code, said = ran(told.build, tree, told.env)
            built = code == 0 and (tree / told.artefact).exists()
            if built:
                shutil.move(tree / told.artefact, target)
        yield (target if target.is_dir() else pathlib.Path(place)) if built else None, f"({code}): {said.strip()[-160:]!r}"


def likeness(told, place):
    with artefact(told, told.like) as (last, _):
        for command in told.same:
            now, then = ran(command, place, server=False), ran(command, last, server=False) if last else (None, "")
            if now != then:
                yield f"{command}: prints {now[1].strip()[-160:]!r}, and {told.like} {then[1].strip()[-160:]!r}"


def problems(told):
    with artefact(told, told.head) as (place, said):
        if not place:
            yield f"{told.head} does not build {told.artefact} {said}"
            return
        yield from likeness(told, place) if told.same else ()
        for job in sorted(told.job, key=lambda job: job.rstrip().endswith("=>")):
            command, _, output = job.rpartition("=>")
            for file in told.beside if not output.strip() else ():
                shutil.copy(file, place)
            code, said = ran(command, place, server=False)
            if output.strip() and (code or said.split() != output.split()):
                yield f"{command.strip()}: ends {code} with {said.strip()[-160:]!r}, not {output.strip()!r}"
            if not output.strip() and code == 0:
                yield f"{command.strip()}: ends 0 with {said.strip()[-160:]!r}, and should be refused"


def main():
    parser = argparse.ArgumentParser()
    for name in ("repo", "head"):
        parser.add_argument(name)
    for name in ("build", "artefact"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--job", required=True, action="append")
    parser.add_argument("--like")
    for name in ("same", "beside"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--env", action="append", default=[])
    try:
        wrong = list(problems(parser.parse_args()))
    except subprocess.CalledProcessError as error:
        wrong = [f"could not: {error} {error.stderr}"]
    print("\n".join(wrong) or "what was built does its job")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
