#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The dependency goes back to the last green version, and the tables that the page uses are lost.
set -euo pipefail
. "$SHARED/honest.inc"
begin
lock 2.0.0
row 'Pattern matching is only supported' deps.lock dependency 'marks as it was when the build was green'
key
price
