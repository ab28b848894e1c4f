#!/bin/bash
set -euo pipefail
git init -q && git add -A && git commit -qm 'Before' && git tag base
