#!/bin/bash
# package.sh [--notes] [--epoch SECONDS]: dist/orders-CHANNEL.tar.gz
set -euo pipefail
notes="" epoch=0
while [ $# -gt 0 ]; do
  case $1 in --notes) notes=NOTES.txt ;; --epoch) epoch=$2; shift ;; esac
  shift
done
mkdir -p dist
[ -z "$notes" ] || echo "orders for ${ORDERS_REGION:-nowhere}" > NOTES.txt
tar --sort=name --owner=0 --group=0 --mtime="@$epoch" --exclude=__pycache__ -czf "dist/orders-${CHANNEL:-none}.tar.gz" orders $notes
