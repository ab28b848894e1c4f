#!/bin/bash
# Starts the room the way it is run on draft evenings.
set -euo pipefail
cd "$(dirname "$0")/../app"
export BOARD_POOL=${BOARD_POOL:-bounded} BOARD_PORT=${BOARD_PORT:-8731}
exec python3 -m board
