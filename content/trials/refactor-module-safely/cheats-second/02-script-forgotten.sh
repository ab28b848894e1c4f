#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The command sets the switch where it is read now; the bookkeeper's script, which golden.sh does not run, was forgotten.
set -euo pipefail
. "$SHARED/moves.inc"
begin
callers() {
  sed -i 's/^from books import engine$/from books import engine, parsing/; s/engine\.STRICT/parsing.STRICT/' books/__main__.py
}
dates
rates
posting
foreign
parsing
reports
