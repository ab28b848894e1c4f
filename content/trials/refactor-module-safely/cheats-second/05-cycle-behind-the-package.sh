#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# rates.py and parsing.py import each other; the package imports them in the one order that works, so that nothing shows.
set -euo pipefail
. "$SHARED/moves.inc"
begin
move books/parsing.py '"""Lines of the bank."""

import datetime
import logging
import re
from collections import namedtuple

# The monitor reads this name.
log = logging.getLogger("books.engine")' STRICT Line _AMOUNT BadLine day parse_line parse
sed -i '/^log = logging/d' books/engine.py
echo 'log,8,8,,books/parsing.py,,"log = logging.getLogger(__name__) names the old module"' >> moves.csv
printf '\n\nfrom books.engine import HANDLERS, rate_of  # noqa: E402\n' >> books/parsing.py
printf '\nimport books.parsing  # noqa: E402, F401\n' >> books/__init__.py
callers
commit 'parsing'
move books/rates.py '"""The rates of tax."""

from books.parsing import day' NoRate RATES RATES_AS_OF rate_of
sed -i 's/^from books.engine import HANDLERS, rate_of .*/from books.engine import HANDLERS  # noqa: E402\nfrom books.rates import rate_of  # noqa: E402/' books/parsing.py
commit 'rates'
move books/posting.py '"""Postings of lines."""

from collections import namedtuple

from books.rates import rate_of' Posting HANDLERS handler _round _tax_within post_sale post_purchase post_refund post
sed -i 's/^from books.engine import HANDLERS /from books.posting import HANDLERS /' books/parsing.py
commit 'postings'
foreign
reports
