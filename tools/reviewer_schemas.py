"""Writes the published schemas of the outside reviewer's form anew: python -m tools.reviewer_schemas."""

from __future__ import annotations

from pathlib import Path

from writeapi.review.screening.outside import SCHEMAS, schema_text

PROJECT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Write each schema into its file."""
    for file, model in SCHEMAS.items():
        (PROJECT / file).write_text(schema_text(model), encoding="utf-8")
        print(file)


if __name__ == "__main__":
    main()
