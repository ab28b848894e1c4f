"""Writes the published schemas of the outside reviewer's form anew: python -m tools.reviewer_schemas."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel

from writeapi.review.screening.outside import ReviewerInput, ReviewerVerdict

PROJECT = Path(__file__).resolve().parents[1]
SCHEMAS: Mapping[str, type[BaseModel]] = {
    "docs/reviewer-input.schema.json": ReviewerInput,
    "docs/reviewer-verdict.schema.json": ReviewerVerdict,
}
"""The files that publish both forms."""


def schema_text(model: type[BaseModel]) -> str:
    """The text of a published schema."""
    return json.dumps(model.model_json_schema(), indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write each schema into its file."""
    for file, model in SCHEMAS.items():
        (PROJECT / file).write_text(schema_text(model), encoding="utf-8")
        print(file)


if __name__ == "__main__":
    main()
