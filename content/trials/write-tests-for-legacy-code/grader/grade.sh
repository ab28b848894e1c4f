#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The outcome: the case's tests over products of the grader's own. Only exit codes and pytest's summary count.
failed() { echo "$1"; exit 10; }
bad=$(sha256sum --quiet -c <(tail -n +2 "$GRADER/world.txt") 2>&1) || failed "changed or gone: $bad"
found=$(find . -path ./.git -prune -o \( -name 'conftest.py' -o -name 'pyproject.toml' -o -name 'tox.ini' -o -name '*.cfg' \
  -o -name '*.pth' -o -name '.pytest.ini' -o -name 'pytest.toml' -o -name '.pytest.toml' -o -name 'sitecustomize.py' \) -print)
[ -z "$found" ] || failed "new: $found"
new=$(find . -path ./.git -prune -o -name '*.py' -print | sort | comm -13 <(grep -o '[^ ]*\.py$' "$GRADER/world.txt" | sed 's,^,./,' | sort) -)
[ -n "$new" ] || failed "no tests were written"
! grep -v '^\./tests/test_invoice[a-z_0-9]*\.py$' <<< "$new" || failed "new files beside tests/test_invoice*.py"
while IFS= read -r file; do
  ! grep -nE '\b(hashlib|zlib|binascii|pickle)\b|\bhash\(' "$file" || failed "$file compares digests"
done <<< "$new"
cp shop/invoice.py "$(dirname "$CHILD")/kept" # nobody else writes there
find . -name __pycache__ -prune -exec rm -rf {} +
run() { # SED...: the exit code of all tests over the product after these edits; what was printed is in $said
  sed "$@" "$(dirname "$CHILD")/kept" > shop/invoice.py
  said=$("$CHILD" 'COLUMNS=500 timeout 100 python3 -B -m pytest -q -rf -p no:cacheprovider')
}
summary='^[0-9]+ passed(, [0-9]+ xfailed)? in [0-9.]+s$'
run -e '' && [[ $(tail -n 1 <<< "$said") =~ $summary ]] || failed "over the product as it is: $said"
run -e 's/_cents/_rounded/g' -e 's/_reduction/_rebate/g' -e 's/texts/lines/g' -e '/"""Invoices/d' \
  || failed "the tests hang on the inside of the module: $said"
while IFS=$'\t' read -r name edit; do
  run -e "$edit"
  [ $? = 1 ] || failed "the tests do not notice: $name"
done < <(grep -v '^#' "$GRADER/faults.txt")
while IFS=$'\t' read -r name edit; do
  run -e "$edit"
  ! grep -q '^FAILED .*XPASS(strict)' <<< "$said" || failed "an expected failure takes this for the mend: $name: $said"
done < <(grep -v '^#' "$GRADER/other.txt")
while IFS=$'\t' read -r name edit; do
  run -e "$edit"
  [ $? = 1 ] || failed "no strict expected failure for: $name"
  [ "$(grep -c '^FAILED' <<< "$said")" = "$(grep -c '^FAILED .*XPASS(strict)' <<< "$said")" ] \
    || failed "with this mended a plain test fails: $name: $said"
done < <(grep -v '^#' "$GRADER/mends.txt")
echo "every fault is noticed, and every defect is an expected failure"
exit 0
