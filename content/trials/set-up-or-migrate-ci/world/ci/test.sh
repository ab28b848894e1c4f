#!/bin/bash
# test.sh FOLDER REPORT [--run-slow]
exec python3 ci/run_tests.py "$@"
