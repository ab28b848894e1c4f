"""Step 8: what was built does its job where there is no source.

    check-8.py REPO HEAD --build COMMAND --artefact PATH --job 'COMMAND => OUTPUT' [--env NAME=VALUE]

The artefact of a clean build is moved to an empty folder, and the jobs run there, with an empty environment. A job prints OUTPUT,
white space aside, and ends with 0; nothing after =>: it ends with another code. OUTPUT is that of the last good version, or a
known value.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

from clean import clone, ran


def problems(told):
    with tempfile.TemporaryDirectory() as place:
        with clone(told.repo, told.head) as tree:
            code, said = ran(told.build, tree, told.env)
            if code or not (tree / told.artefact).exists():
                yield f"{told.head} does not build {told.artefact} ({code}): {said.strip()[-160:]!r}"
                return
            target = pathlib.Path(place, pathlib.Path(told.artefact).name)
            shutil.move(tree / told.artefact, target)
        for job in told.job:
            command, _, output = job.rpartition("=>")
            code, said = ran(command, target if target.is_dir() else place, server=False)
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
    parser.add_argument("--env", action="append", default=[])
    try:
        wrong = list(problems(parser.parse_args()))
    except subprocess.CalledProcessError as error:
        wrong = [f"could not: {error} {error.stderr}"]
    print("\n".join(wrong) or "what was built does its job")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
