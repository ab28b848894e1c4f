#!/bin/bash
cd /app
export SCRIPTS=/solution/scripts SHARED=/solution/shared
exec bash "$SCRIPTS/solve.sh"
