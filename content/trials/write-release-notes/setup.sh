#!/bin/bash
# The repository of a small tool, with the same hashes each time.
set -euo pipefail
mv docs host /tmp
git init -q
n=0
commit() { # AUTHOR MESSAGE
  n=$((n + 1))
  git add -A
  who=(-c "user.name=$1" -c "user.email=${1// /.}@example.invalid")
  when="2025-03-$(printf %02d $n)T12:00:00Z"
  GIT_AUTHOR_NAME=$1 GIT_AUTHOR_EMAIL="${1// /.}@example.invalid" GIT_COMMITTER_NAME=Host \
    GIT_COMMITTER_EMAIL=host@example.invalid GIT_AUTHOR_DATE=$when GIT_COMMITTER_DATE=$when git "${who[@]}" commit -qm "$2"
}
put() { # FILE OLD NEW
  python3 - "$@" <<'PY'
import pathlib, sys
path = pathlib.Path(sys.argv[1])
text = path.read_text()
assert text.count(sys.argv[2]) == 1, sys.argv[2]
path.write_text(text.replace(sys.argv[2], sys.argv[3]))
PY
}
cp -r /tmp/docs .
printf '[project]\nname = "ferry"\nrequires-python = ">=3.9"\n' > pyproject.toml
printf '# ferry\n\nCarries files from here to there.\n' > README.md
cat > ferry.py <<'PY'
"""Carries files from here to there."""

import sys

SETTINGS = {
    "timeout": 30,  # seconds
    "retries": 3,
    "cache_dir": ".ferry",
    "compress": "off",
}
OPTIONS = {
    "--dry-run": "off",
    "--output": "-",
    "--legacy-ids": "off",
}


def log(text):
    print(text, file=sys.stderr)


def connect(token):
    log(f"connecting with {token}")
    return {"token": token}


def size_of(text):
    if text.endswith("K"):
        return int(text[:-1])*1000
    return int(text)


def cached(name):
    return SETTINGS["cache_dir"] + "/" + name


def upload(chunks):
    return [len(chunk) for chunk in chunks]


def main(words):
    if words == ["settings"]:
        for name, value in {**SETTINGS, **OPTIONS}.items():
            print(name, value)
    elif words[0] == "place":
        print(cached(words[1]))
    elif words[0] == "size":
        try:
            print(size_of(words[1]))
        except ValueError:
            sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
PY
commit 'Example One' 'Begin'
printf '\nSet `retries` for bad lines.\n' >> README.md
commit 'Example Two' 'Describe retries (#20)'
git tag v1.4.0
put ferry.py '    "--output": "-",' '    "--output": "-",
    "--format": "text",'
commit 'Example One' 'Add --json option (#21)'
put ferry.py '[:-1])*1000' '[:-1]) * 1000'
commit 'Example Two' 'Format the code (#18)'
put ferry.py '"timeout": 30' '"timeout": 45'
commit 'Example Two' 'Raise default timeout to 60 (#22)'
put ferry.py '    "--legacy-ids": "off",
' ''
put ferry.py '"cache_dir": ".ferry"' '"cache_path": ".ferry"'
put ferry.py '    return SETTINGS["cache_dir"] + "/" + name' '    # one place for all that is kept between runs
    return "/".join((SETTINGS["cache_path"], name))'
for i in $(seq 1 60); do printf '\n\ndef part_%d(chunk):\n    return chunk[%d:]\n' "$i" "$i" >> parts.py; done
commit 'Example One' 'Refactor internals (#23)'
put ferry.py '    "compress": "off",' '    "compress": "off",
    "workers": 4,'
put ferry.py '    return [len(chunk) for chunk in chunks]' '    each = len(chunks) // SETTINGS["workers"]
    return [len(chunks) // each] * each'
commit 'Example Two' 'Add parallel uploads (#24)'
put pyproject.toml '>=3.9' '>=3.10'
commit 'example-bot[bot]' 'Bump build tools'
git tag v1.5.0-rc1
put ferry.py '    each = len(chunks) // SETTINGS["workers"]' '    each = max(1, len(chunks) // SETTINGS["workers"])'
commit 'Example Two' 'Fix crash with more workers than chunks (#25)'
put ferry.py '        return int(text[:-1]) * 1000' '        return int(text[:-1]) * 1024'
commit 'Example Three' 'Fix size parsing (#26)'
put ferry.py '    log(f"connecting with {token}")' '    log("connecting")'
commit 'Example One' 'Tidy log output (#27)'
put ferry.py '    "--output": "-",' '    "--output": "-",
    "--colour": "auto",'
commit 'Example Two' 'Add colour output (#28)'
colour=$(git rev-parse HEAD)
put ferry.py '    "--colour": "auto",
' ''
commit 'Example One' "Revert \"Add colour output\" (#29)

This reverts commit $colour."
git tag v1.5.0-rc2
put ferry.py '            sys.exit(1)' '            log(f"{words[1]} is no size")
            sys.exit(2)'
commit 'Example One' 'Improve error messages (#32)'
put ferry.py '    return "/".join((SETTINGS["cache_path"], name))' '    parts = [part for part in name.split("/") if part.strip(".")]
    return "/".join((SETTINGS["cache_path"], *parts))'
commit 'Example Two' 'Rework path handling (#33)'
printf 'image: 12\n' > ci.yaml
commit 'Example One' 'Update CI image (#30)'
git switch -qc explain
printf 'Three are enough mostly.\n' >> README.md
commit 'Example Four' 'Explain retries'
git switch -q main
n=$((n + 1))
when="2025-03-${n}T12:00:00Z"
GIT_AUTHOR_NAME=Host GIT_AUTHOR_EMAIL=host@example.invalid GIT_COMMITTER_NAME=Host GIT_COMMITTER_EMAIL=host@example.invalid \
  GIT_AUTHOR_DATE=$when GIT_COMMITTER_DATE=$when git merge -q --no-ff -m 'Merge pull request #31 from example-4/explain' explain
git branch -qD explain
git switch -q -c maintenance v1.4.0
put ferry.py '"retries": 3' '"retries": 2'
commit 'Example One' 'Fewer retries on the old line (#19)'
git tag v1.4.1
git switch -q main
mv /tmp/host .
rm -r /tmp/docs
printf '%s\n' host/ notes.md changes.csv breaking.csv __pycache__/ > .git/info/exclude
