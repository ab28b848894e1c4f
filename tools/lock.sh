#!/usr/bin/env bash
# Writes requirements.lock (with all extras) and requirements-dev.lock from pyproject.toml, and the lock file of the
# frameworks that tests give our tools to: exact versions with the hashes of every platform's files, and no index address. Pins that still fit stay; MORE=--upgrade takes the newest.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
# What only older Pythons need is left out by a newer one, and newer ones install what the oldest needs.
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { echo "locks are made by Python 3.11: make lock PYTHON=python3.11" >&2; exit 2; }
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
"$python" -m venv "$tools"
"$tools/bin/python" -m pip install --quiet --disable-pip-version-check pip-tools
export CUSTOM_COMPILE_COMMAND="make lock"
options=(--quiet --no-config --generate-hashes --strip-extras --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-annotate ${MORE:-})
extras=(--extra postgresql --extra redis --extra release)
"$tools/bin/pip-compile" "${options[@]}" "${extras[@]}" --output-file requirements.lock pyproject.toml
"$tools/bin/pip-compile" "${options[@]}" "${extras[@]}" --extra dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
"$tools/bin/pip-compile" "${options[@]}" --output-file tests/clients/requirements.lock tests/clients/requirements.in
