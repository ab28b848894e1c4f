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
run() { # PRODUCT OLD NEW: the exit code of the one test over the product with a text replaced; what it printed is in $said
  text=$(kept right.py)
  [ $# = 1 ] || [[ $text == *"$2"* ]] || { echo "the grader's product has no $2"; exit 2; }
  [ $# = 1 ] || text=${text/"$2"/"$3"}
  printf '%s\n' "$text" > jobs/worker.py
  said=$("$CHILD" 'timeout 60 python3 -m pytest -q -p no:cacheprovider tests/test_worker.py::test_result')
}
one='^1 passed in ([0-9.]+)s$'
passes() { # the same words: fails the case unless it is one pass; $took is pytest's own count of milliseconds
  run "$@" && [[ $(tail -n 1 <<< "$said") =~ $one ]] || failed "over the $1 product: $said"
  took=$((10#${BASH_REMATCH[1]/./} * 10))
}
fails() {
  run "$@" && failed "the test passes over the $1 product"
  [[ $said == *"1 failed"* ]] || failed "over the $1 product the test did not fail, it broke: $said"
}
delay='time.sleep(random.uniform(0.001, 0.02))'
passes slow "$delay" 'time.sleep(1.5)'
passes otherwise-slow "$delay" 'threading.Event().wait(1.5)'
passes late-begun 'self._begun.set()' 'threading.Event().wait(1.5); self._begun.set()'
# A test that sleeps cannot once be quicker than its sleep; one that waits for the event is, on a busy machine as well.
best=9999999
for try in 1 2 3 4 5 6; do
  passes right
  [ $took -ge $best ] || best=$took
  [ $try -lt 3 ] || [ $best -ge 1400 ] || break
done
[ $best -lt 1400 ] || failed "the test sleeps longer than the slow product takes: $best ms at best"
fails wrong 'number * number' 'number * number + 1'
fails too-small 'number * number' 'number * number - 1'
fails never 'target=self._work, args=(number,)' 'target=print, args=()'
fails first-lost 'self._finished.clear()
        threading.Thread(target=self._work, args=(number,)' 'self._finished.clear()
        again = hasattr(self, "_first"); self._first = True
        threading.Thread(target=self._work if again else print, args=(number,)'
fails alone 'self.result = number * number' 'self.result = number * number if threading.current_thread() is threading.main_thread() else None'
echo "one pass over right and slow products, a failure over wrong ones"
exit 0
