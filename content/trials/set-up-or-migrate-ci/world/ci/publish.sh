#!/bin/bash
# publish.sh [--verify]: sends what is in dist/; here it only notes what it would send.
set -euo pipefail
: "${DEPLOY_KEY:?no key}"
[ "${1:-}" != --verify ] || tar -tzf "dist/orders-$CHANNEL.tar.gz" > /dev/null
if [ "$DRY_RUN" = true ]; then echo "dry run: $CHANNEL"; else echo "published $CHANNEL ${1:-unverified}" >> published.txt; fi
