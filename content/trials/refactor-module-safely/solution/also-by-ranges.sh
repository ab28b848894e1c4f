#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# By line ranges and sed, in another order; the registry first, one logger for all.
set -euo pipefail
git checkout -q -b split
git show base:books/engine.py > /tmp/old.py
at() { grep -n "^$1" /tmp/old.py | head -n 1 | cut -d: -f1; }
ranges=()
take() { # FILE FIRST LAST: these lines, and write down what they hold
  sed -n "$2,$3p" /tmp/old.py >> "books/$1"
  ranges+=("$2,$3d")
  python3 - "$@" >> moves.csv <<'PY'
import ast, hashlib, sys
path, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
text = open("/tmp/old.py").read()
body = text.splitlines()[first - 1:last]
tops = [node for node in ast.parse(text).body if first <= node.lineno <= last]
starts = [min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))]) for node in tops]
for node, start, end in zip(tops, [first, *starts[1:]], [*(one - 1 for one in starts[1:]), last]):
    name = getattr(node, "name", None) or node.targets[0].id
    digest = hashlib.sha256("".join(line.strip() for line in text.splitlines()[start - 1:end]).encode()).hexdigest()
    print(f"{name},{start},{end},{digest},books/{path},{digest},")
PY
}
done_with() { # MESSAGE FILE...: engine.py without the ranges so far, with re-exports
  {
    sed "$(printf '%s;' "${ranges[@]}")" /tmp/old.py | sed -n '1,2p'
    for file in dates rates posting foreign parsing reports; do
      [ -f "books/$file.py" ] || continue
      python3 - "$file" <<'PY'
import ast, sys
names = []
for node in ast.parse(open(f"books/{sys.argv[1]}.py").read()).body:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        names.append(node.name)
    elif isinstance(node, ast.Assign):
        names.append(node.targets[0].id)
print(f"from books.{sys.argv[1]} import (  # noqa: F401")
print("".join(f"    {name},\n" for name in names) + ")")
PY
    done
    sed "$(printf '%s;' "${ranges[@]}")" /tmp/old.py | sed '1,2d'
  } | cat -s > books/engine.py
  git add -A
  git commit -q -m "Move only: $1"
}
echo name,first,last,sha256_before,destination,sha256_after,changed > moves.csv
printf '"""What parsing and rates both need."""\n\nimport datetime\nimport logging\n\nlog = logging.getLogger("books.engine")\n\n\n' > books/dates.py
take dates.py "$(at 'def day')" "$(($(at 'def parse_line') - 3))"
ranges+=("8d")
echo 'log,8,8,,books/dates.py,,"log = logging.getLogger(__name__): the name is written out"' >> moves.csv
done_with dates
printf 'from books.dates import day\n\n\n' > books/rates.py
take rates.py "$(at 'class NoRate')" "$(($(at '# --- posting') - 3))"
done_with rates
printf '"""The registry of handlers, and those at home."""\n\nfrom collections import namedtuple\n\nfrom books.rates import rate_of\n\n' > books/posting.py
take posting.py "$(at 'Posting =')" "$(($(at '# --- foreign') - 3))"
printf '\n\n' >> books/posting.py
take posting.py "$(at 'def post(')" "$(($(at 'def _quarter') - 3))"
done_with posting
take reports.py "$(at 'def _quarter')" '327'
done_with reports
printf '"""Reading lines."""\n\nimport re\nfrom collections import namedtuple\n\nfrom books.dates import day, log\nfrom books.posting import HANDLERS\nfrom books.rates import rate_of\n\n' > books/parsing.py
take parsing.py "$(at '# Set from')" "$(($(at 'def day') - 3))"
printf '\n\n' >> books/parsing.py
take parsing.py "$(at 'def parse_line')" "$(($(at '# --- rates') - 3))"
python3 - <<'PY'
import pathlib
for path in ("books/__main__.py", "scripts/close_quarter.py"):
    text = pathlib.Path(path).read_text()
    text = text.replace("from books import engine", "import books.parsing\nfrom books import engine" if "main" in path else
                        "import books.parsing  # noqa: E402\nfrom books import engine")
    pathlib.Path(path).write_text(text.replace("engine.STRICT =", "books.parsing.STRICT ="))
PY
done_with parsing
printf 'import datetime\n\nfrom books.dates import log\nfrom books.posting import Posting, _round, handler\nfrom books.rates import rate_of\n\n\n' > books/foreign.py
take foreign.py "$(at '@handler("import")')" "$(($(at '# --- all of it') - 3))"
ranges+=('/^# ---/d' '/^import /d' '/^from collections/d')
done_with foreign
