#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The first word is the merchant: one answer for everything that a payment service pays.
set -euo pipefail
. "$SHARED/work.inc"
begin
edit month.py 'from deciding import Labelled, merchant' 'from deciding import Labelled
from deciding import merchant as words'
edit month.py 'def table(name):' 'def merchant(text):
    return words(text).split(" ")[0]


def table(name):'
edit month.py 'same = other["account"] == row["account"] and merchant(other["text"]) == merchant(row["text"])' 'same = other["account"] == row["account"] and words(other["text"]) == words(row["text"])'
python3 month.py
finish
