#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The outcome: notes.md against what the diffs hold, and the repository as it was.
"$CHILD" 'git for-each-ref --format="%(refname) %(objectname)" refs/heads refs/tags > .git/refs-now; git diff --name-only d31f550e628ec40801606186f705866b675ee1f8 > .git/edited-now' > /dev/null
python3 -I "$GRADER/grade.py"
code=$?
[ $code = 0 ] || [ $code = 10 ] || exit 2
exit $code
