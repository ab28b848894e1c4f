#!/usr/bin/env bash
# Writes requirements.lock and requirements-dev.lock: exact versions with hashes, no index address in them.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
"$python" -m venv "$tools"
"$tools/bin/python" -m pip install --quiet --disable-pip-version-check pip-tools
export CUSTOM_COMPILE_COMMAND="make lock"
options=(--quiet --generate-hashes --strip-extras --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-annotate)
"$tools/bin/pip-compile" "${options[@]}" --output-file requirements.lock requirements.in
"$tools/bin/pip-compile" "${options[@]}" --constraint requirements.lock --output-file requirements-dev.lock requirements-dev.in
