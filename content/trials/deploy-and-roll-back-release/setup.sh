#!/bin/bash
set -euo pipefail
mkdir registry
for tag in v2.3.0 v2.4.0 latest; do
  digest=$(cat build/$tag/app.py build/$tag/up.sql build/$tag/down.sql | sha256sum | cut -c1-16)
  mv build/$tag "registry/$digest"
  echo "\"$tag\": \"$digest\""
done | paste -sd, | sed 's/.*/{&}/' > registry/tags.json
rmdir build
python3 seed.py "$(./host digest v2.3.0)"
rm seed.py
./host traffic production 60 > /dev/null # the hour before
