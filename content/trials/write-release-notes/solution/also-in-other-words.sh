#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Other sentences, another order, entries over two lines, and a title above them.
set -euo pipefail
. "$SCRIPTS/work.inc"
work
cat > notes.md <<'MD'
# ferry 1.5.0

## Breaking changes

- Need Python 3.10, no longer 3.9. Install it first. (74a953b)
- Drop `--legacy-ids`, which you have to take out of your calls,
  and call the setting `cache_dir` now `cache_path`; rename it where you set it. (#23)
- Raise `timeout` from 30 to 45 seconds. To have it back write `timeout` 30. (#22)
- Give exit code 2 in place of 1 for a text that is no size. Have your scripts expect 2. (#32)

## New

- Send with several `workers` at a time, 4 unless you say otherwise. (#24)
- Add `--format` for the output; `text` is the default. (#21)

## Fixes

- Leave out dots of a name that climb: files stay in the cache. (#33)
- Write no token to the log any more. Change tokens that are in a log you gave away. (#27)
- Count a K in a size as 1024 bytes. (#26)

## New contributors

- @example-4 in #31
- @example-3 in #26
MD
sed -i 's/set workers to 1 to send one chunk at a time/no/; s/write cache_path for/call it cache_path, not/' changes.csv
