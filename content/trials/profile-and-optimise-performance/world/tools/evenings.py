"""python3 -m tools.evenings JOURNAL...: the answers of one journal after the other in one process, as the service gives them."""

import sys

from billing.report import answers
from billing.store import Store

for name in sys.argv[1:]:
    with open(name) as journal:
        for answer in answers(Store(), journal):
            print(answer)
