#!/bin/bash
cd "$(dirname "$0")" || exit 1
python3 tools/bundle.py > /dev/null 2>&1
code=$?
[ $code = 0 ] || echo "build: the bundler exited with $code"
exit $code
