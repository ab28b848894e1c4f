#!/usr/bin/env bash
# Installs the system parts that some tests need. `--if-allowed` installs only where that needs no question:
# as root on a Debian family. Tests of parts that are missing say in one line what was not run. The official clients and
# checkers (MCP, OpenAPI, skills) are npm packages with their own Node: they lie in tests/node, and need no root. Nor do
# the frameworks in Python, which lie in tests/clients.
set -euo pipefail

there() { # the command $1 is on the PATH, or where Debian keeps a server's own commands
  command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ] || compgen -G "/usr/lib/postgresql/*/bin/$1" >/dev/null
}

node_tools() { # what tests/node/package-lock.json names, in tests/node/node_modules
  local folder
  folder="$(cd "$(dirname "${BASH_SOURCE[0]}")/node" && pwd)"
  if [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ]; then return 0; fi
  if ! command -v npm >/dev/null 2>&1; then
    echo "there is no npm, so the checkers of tests/node are not installed and their tests do not run"
  elif ! (cd "$folder" && npm ci --loglevel error >/dev/null); then
    echo "npm ci in tests/node failed, so the tests that need its checkers do not run" >&2
    if [ "$1" != --if-allowed ]; then return 1; fi
  fi
}

clients() { # what tests/clients/requirements.lock names, in an environment of its own: it wants other generations than ours
  local folder python
  folder="$(cd "$(dirname "${BASH_SOURCE[0]}")/clients" && pwd)"
  python="$folder/.venv/bin/python"
  if [ "$folder/.venv/.done" -nt "$folder/requirements.lock" ]; then return 0; fi
  if "${PYTHON:-python3}" -m venv --clear "$folder/.venv" &&
    "$python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$folder/requirements.lock"; then
    touch "$folder/.venv/.done"
  else
    echo "the frameworks of tests/clients are not installed, so their tests do not run" >&2
    if [ "$1" != --if-allowed ]; then return 1; fi
  fi
}

lighter() { # Chromium without windows, where the system has it: pages cost a quarter in it, and the whole one will do
  if ! there chromium-headless-shell && apt-cache show chromium-headless-shell >/dev/null 2>&1; then
    echo chromium-headless-shell
  fi
}

missing=()
if [ ! -e /usr/lib/nginx/modules/ngx_http_brotli_static_module.so ]; then missing+=(libnginx-mod-http-brotli-static); fi
for part in bwrap:bubblewrap nginx:nginx caddy:caddy wrk:wrk systemd-analyze:systemd chromium:chromium postgres:postgresql redis-server:redis-server strace:strace curl:curl node:nodejs npm:npm; do
  there "${part%%:*}" || missing+=("${part##*:}")
done
mapfile -t -O "${#missing[@]}" missing < <(lighter)
if [ ${#missing[@]} -eq 0 ]; then
  node_tools "${1:-}"
  clients "${1:-}"
  exit 0
fi
allowed=no
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then allowed=yes; fi
if [ "${1:-}" = "--if-allowed" ]; then
  if [ "$allowed" = no ]; then
    echo "not installed here, so their tests do not run: ${missing[*]} (make system installs them)"
    node_tools --if-allowed
    clients --if-allowed
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
# No server starts by itself: the tests start their own and stop them.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
  "${as_root[@]}" chmod +x "$policy"
  trap '"${as_root[@]}" rm -f "$policy"' EXIT
fi
"${as_root[@]}" apt-get update -qq
mapfile -t more < <(lighter) # before the update an empty machine knew of no package
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" "${more[@]}" fonts-dejavu-core >/dev/null
node_tools "${1:-}"
clients "${1:-}"
