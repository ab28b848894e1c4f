#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The outcome: the case's test over products of the grader's own. Only exit codes and the line of pytest count.
failed() { echo "$1"; exit 10; }
kept() { tail -n +2 "$GRADER/$1"; } # a file of the grader without its canary
[ -f tests/test_worker.py ] && [ ! -L tests/test_worker.py ] || failed "tests/test_worker.py is gone"
[ "$(sha256sum < jobs/worker.py)" = "$(kept right.py | sha256sum)" ] || failed "the product was changed"
for name in conftest.py tests/conftest.py pytest.ini tox.ini setup.cfg pyproject.toml; do
  [ ! -e "$name" ] || failed "$name is new"
done
for name in helpers test_history; do
  [ "$(sha256sum < tests/$name.py)" = "$(kept $name.txt | sha256sum)" ] || failed "tests/$name.py was changed"
done
run() { # PRODUCT: the exit code of the one test over it; what it printed is in $said
  kept "$1.py" > jobs/worker.py
  said=$("$CHILD" 'timeout 60 python3 -m pytest -q -p no:cacheprovider tests/test_worker.py::test_result')
}
one='^1 passed in [0-9.]+s$'
for product in right right right slow slow; do
  began=$(date +%s%N)
  run $product && [[ $(tail -n 1 <<< "$said") =~ $one ]] || failed "over the $product product: $said"
  [ $product = slow ] || took=$(($(date +%s%N) - began))
done
began=$(date +%s%N); "$CHILD" 'python3 -m pytest --version' > /dev/null; bare=$(($(date +%s%N) - began))
[ $((took - bare)) -lt 1400000000 ] || failed "the test sleeps longer than the slow product takes"
for product in wrong never; do
  run $product && failed "the test passes over the $product product"
  [[ $said == *"1 failed"* ]] || failed "over the $product product the test did not fail, it broke: $said"
done
echo "one pass over right and slow products, a failure over wrong ones"
exit 0
