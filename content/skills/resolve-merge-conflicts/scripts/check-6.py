"""Step 6: the generators change nothing in a clean checkout of the merge.

    check-6.py MERGE 'python3 tools/commands.py' 'npm install --package-lock-only'

Each command runs in a clone of the repository, one after the other, and must end well.
"""

import subprocess
import sys
import tempfile

from commits import git, said


def problems(merge, commands):
    with tempfile.TemporaryDirectory() as place:
        git("clone", "-q", "--shared", "--no-checkout", ".", place)
        git("checkout", "-q", "--detach", git("rev-parse", f"{merge}^{{commit}}").strip(), cwd=place)
        for command in commands:
            ran = subprocess.run(command, shell=True, cwd=place, capture_output=True, text=True)
            if ran.returncode:
                yield f"{command} ends with {ran.returncode}: {ran.stderr.strip()[-200:]}"
            for line in git("status", "--porcelain", cwd=place).splitlines():
                yield f"{command} changes {line[3:]}: generate it, and commit what comes out"


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    said(problems(sys.argv[1], sys.argv[2:]), "what is generated is as its generator makes it")
