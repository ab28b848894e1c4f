#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Rates and parsing would import each other, so one of them does it inside its functions.
set -euo pipefail
. "$SHARED/moves.inc"
begin
dates
rates
posting
foreign
parsing
reports
python3 - <<'PY'
import pathlib
rates, parsing, engine = (pathlib.Path(f"books/{name}.py") for name in ("rates", "parsing", "engine"))
day = pathlib.Path("books/dates.py").read_text().split("\n\n\n")[1]
pathlib.Path("books/dates.py").unlink()
text = parsing.read_text().replace("from books.dates import day\n", "").replace("from books.rates import rate_of\n", "")
text = text.replace("import logging\n", "import datetime\nimport logging\n").replace("from books.posting import HANDLERS\n\n", "")
text = text.replace("class BadLine", day + "\n\nclass BadLine")
text = text.replace('semicolons."""\n', 'semicolons."""\n    from books.posting import HANDLERS\n    from books.rates import rate_of\n\n')
parsing.write_text(text)
rates.write_text(rates.read_text().replace("books.dates", "books.parsing"))
engine.write_text(engine.read_text().replace("from books.dates", "from books.parsing"))
moves = pathlib.Path("moves.csv")
moves.write_text(moves.read_text().replace("books/dates.py", "books/parsing.py"))
PY
git add -A && git commit -q -m 'Move only: no file for one function'
