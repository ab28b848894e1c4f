"""Compares a file of gathered accounts with the content: `python -m tools.evidence_coverage evidence.jsonl`.

Every row must stand in exactly one playbook of its job, with its outcome, date and author, or be listed with a reason
in `docs/evidence-left-out.tsv` (address, tab, reason). What came since is no row of it, and fine. Prints every
difference; exit code 1 when there is one.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from library.content.loading import load, read_playbook
from library.records.models import Evidence
from library.records.who import words

PROJECT = Path(__file__).resolve().parent.parent
LEFT_OUT = PROJECT / "docs/evidence-left-out.tsv"


def differences(rows: list[dict[str, Any]], content: Path) -> Iterator[str]:
    """Everything in which the content is not what was gathered."""
    today = datetime.now(UTC).date()
    library = load(content, today)
    held: dict[tuple[str, str], list[tuple[str, Evidence]]] = defaultdict(list)
    for book in library.all_books:
        for item in read_playbook(content, book.slug, today).evidence:
            held[book.task, unquote(item.url)].append((book.slug, item))
    left_out = dict(line.split("\t", 1) for line in LEFT_OUT.read_text(encoding="utf-8").splitlines() if "\t" in line)
    for row in rows:
        places = held.pop((row["job"], unquote(row["url"])), [])
        if row["url"] in left_out:
            yield from (f"{row['url']}: is left out and stands in {slug} all the same" for slug, _ in places)
        elif len(places) != 1:
            yield f"{row['job']}: {row['url']} stands in {len(places)} playbooks"
        else:
            yield from (f"{places[0][0]}: {row['url']}: {problem}" for problem in _unlike(row, places[0][1]))


def _unlike(row: dict[str, Any], item: Evidence) -> Iterator[str]:
    """Where an account does not say what its row says."""
    pairs = (
        ("outcome", row["result"], item.outcome),
        ("date", row.get("date"), item.date.isoformat() if item.date else None),
        ("author", row.get("author"), item.author),
    )
    for name, gathered, ours in pairs:
        if gathered != ours:
            yield f"{name} is {ours!r}, and was gathered as {gathered!r}"
    if set(words(row["agent"])).isdisjoint(
        words(item.agent)
    ):  # a product may stand under the name that its page has here
        yield f"agent is {item.agent!r}, and was gathered as {row['agent']!r}"
    if item.account is None:
        yield "does not say who tells it"


def main() -> None:
    """Read the rows, compare, print."""
    rows = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines() if line]
    found = list(differences(rows, PROJECT / "content"))
    for line in found:
        print(line)
    print(f"{len(rows)} rows, {len(found)} differences")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
