#!/bin/bash
# shop/, a clone of origin.git: feature and main have grown apart. The order of commits is that of history/.
set -euo pipefail
step=0
commit() { # FOLDER NAME
  [ ! -f "history/$1/deleted" ] || (cd shop && xargs git rm -q < "../history/$1/deleted")
  (cd "history/$1" && tar c --exclude ./message --exclude ./deleted .) | tar x -C shop
  [ ! -d shop/shop ] || (cd shop && python3 -B tools/commands.py)
  step=$((step + 1))
  export GIT_AUTHOR_DATE="2026-03-$((10 + step))T09:00:00Z" GIT_COMMITTER_DATE="2026-03-$((10 + step))T09:00:00Z"
  git -C shop add -A
  GIT_AUTHOR_NAME=$2 GIT_AUTHOR_EMAIL=$2@shop.example git -C shop commit -qm "${3:-$(cat "history/$1/message")}"
}
git init -q -b main shop
mkdir -p shop/docs
commit base noor 'A small shop'
git -C shop branch feature
for one in 1 2 3 4; do commit "main-$one" ben; done
git -C shop checkout -q feature
for one in 1 2 3 4; do commit "feature-$one" ann; done
git clone -q --bare shop origin.git
git -C shop remote add origin "$PWD/origin.git"
git -C shop fetch -q origin
git -C shop branch -q -D main
rm -r history
