#!/usr/bin/env bash
# Installs the system parts that some tests need. `--if-allowed` installs only where that needs no question:
# as root on a Debian family. Tests of parts that are missing say in one line what was not run.
set -euo pipefail
parts=(chromium)
missing=()
for part in "${parts[@]}"; do
  command -v "$part" >/dev/null 2>&1 || missing+=("$part")
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
allowed=no
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then allowed=yes; fi
if [ "${1:-}" = "--if-allowed" ]; then
  if [ "$allowed" = no ]; then
    echo "not installed here, so their tests do not run: ${missing[*]} (make system installs them)"
    exit 0
  fi
else
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "this script knows Debian's packages only; install these yourself: ${missing[*]}" >&2
    exit 1
  fi
  read -r -p "Install ${missing[*]} with apt-get? [y/N] " answer
  [ "$answer" = y ] || exit 1
fi
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" fonts-dejavu-core >/dev/null
