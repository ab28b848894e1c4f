#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Each file gets its commit as a stub that takes its names from engine.py; the last commit moves everything at once.
set -euo pipefail
. "$SHARED/moves.inc"
begin
stub() { # FILE NAMES
  printf '"""Moved from books.engine."""\n\nfrom books.engine import %s  # noqa: F401\n' "$2" > "books/$1.py"
  commit "$1"
}
stub dates day
stub rates 'NoRate, RATES, RATES_AS_OF, rate_of'
stub posting 'Posting, HANDLERS, handler, _round, _tax_within, post_sale, post_purchase, post_refund, post'
stub foreign 'post_import, post_export'
stub parsing 'STRICT, Line, _AMOUNT, BadLine, parse_line, parse'
commit() { :; }
dates
rates
posting
foreign
parsing
reports
. "$SHARED/moves.inc"
commit 'figures'
