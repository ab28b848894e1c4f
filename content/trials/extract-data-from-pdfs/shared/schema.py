# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
import datetime
import json
import sys
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Money = Annotated[str, StringConstraints(pattern=r"^-?\d+\.\d{2}$")]


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    document: Text
    page: int = Field(ge=1)
    quote: Text
    supplier: Text | None
    number: Text | None
    date: str | None
    due: str | None
    item: Text | None
    quantity: Annotated[str, StringConstraints(pattern=r"^\d+$")] | None
    unit_price: Money | None
    net: Money | None
    currency: Literal["EUR", "GBP"] | None
    reasons: dict[str, Text] = {}

    @model_validator(mode="after")
    def sound(self):
        for name in ("date", "due"):
            if getattr(self, name) is not None:
                datetime.date.fromisoformat(getattr(self, name))
        for name, value in self:
            if value is None and name not in self.reasons:
                raise ValueError(f"{name} is empty without a reason")
        return self


def money(text):
    return Decimal(text)


if __name__ == "__main__":
    try:
        print(Row.model_validate_json(sys.stdin.read()).model_dump_json())
    except ValidationError as error:
        sys.exit(str(error))
