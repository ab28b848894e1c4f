"""The questions of one evening, after one round to warm up: median of five, in seconds."""

import json
import statistics
import time

from billing.report import answers
from billing.store import Store

with open("config.json") as file:
    SETTINGS = json.load(file)
with open(SETTINGS["journal"]) as file:
    LINES = file.read().splitlines()[: SETTINGS["lines"]]
taken = []
for _ in range(SETTINGS["rounds"] + 1):
    store = Store()
    began = time.perf_counter()
    list(answers(store, LINES))
    taken.append(time.perf_counter() - began)
print(f"median {statistics.median(taken[1:]):.3f} s")
