#!/bin/bash
# CANARY
set -euo pipefail
# Does the job in another good way.
exit 1 # write it
