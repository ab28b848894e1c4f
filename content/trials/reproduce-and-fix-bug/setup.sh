#!/bin/bash
# The repository as it is when the bug is handed over: v1.1 behaves, one commit after it does not start, v1.2 shows the bug.
set -euo pipefail
export GIT_AUTHOR_DATE='2026-10-20T09:00:00Z' GIT_COMMITTER_DATE='2026-10-20T09:00:00Z' # the same commits each time
export GIT_AUTHOR_NAME=trial GIT_AUTHOR_EMAIL=trial@example.org GIT_COMMITTER_NAME=trial GIT_COMMITTER_EMAIL=trial@example.org
mv repo now
git init -q repo
put() { # MESSAGE FILES: these files as they are now
  local message=$1; shift
  for path; do mkdir -p "repo/$(dirname "$path")"; cp -r "now/$path" "repo/$(dirname "$path")/"; done
  git -C repo add -A
  git -C repo commit -qm "$message"
}
mkdir -p repo/app/board/pools
cat > repo/app/board/pools/__init__.py <<'P'
"""Where connections come from."""

from board.pools.simple import SimplePool


def pool_for(settings, path):
    return SimplePool(path)
P
put 'The draft room' .gitignore README.md scripts app/seed.csv app/tests app/board/{__init__,errors,database,settings,ranks,teams,web,__main__}.py \
  app/board/pools/simple.py app/board/export.py
git -C repo tag v1.1
sed -i 's/^from board import database, settings$/from board import database, setting/' repo/app/board/__main__.py
put 'Settings of the old laptop' app/local.ini
put 'Start again' app/board/__main__.py
put 'A few connections that stay open' app/board/pools
sed -i 's/^    return "loaded"$/    return f"loaded {len(body.splitlines())}"/' now/app/board/ranks.py
put 'Say how many were loaded' app/board/ranks.py
git -C repo tag v1.2
rm -rf now
