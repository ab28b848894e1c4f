#!/bin/bash
# CANARY
set -euo pipefail
# What a hurried agent would do to turn it green.
exit 1 # write it
