"""run.py JOURNAL: an answer a line."""

import sys

from billing.report import answers
from billing.store import Store

with open(sys.argv[1]) as journal:
    for answer in answers(Store(), journal):
        print(answer)
