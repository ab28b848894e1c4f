"""What each tool takes: the models of the service itself, with what a tool adds to them."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from library.interface.intake import RunReport, Submission
from library.records.fields import Slug, optional
from library.records.vocabulary import ResultType, Trust

MAX_LIMIT = 50
MAX_QUERY = 500

Key = Annotated[str, Field(pattern=r"^[!-~]{1,255}$")]
Cursor = Annotated[str, Field(max_length=400)]


class Arguments(BaseModel):
    """What every model here is: unchangeable, strict, and closed to names that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Search(Arguments):
    """A question in plain words."""

    q: Annotated[str, Field(min_length=1, max_length=MAX_QUERY)] = Field(
        description="The job to get done, in plain words, such as `fix flaky tests`."
    )
    type: ResultType | None = Field(None, strict=False, description="Only results of this type.")
    agent: str | None = Field(None, max_length=64, description="Only what applies to the agent of this slug.")
    category: str | None = Field(None, max_length=64, description="Only this category, by its slug.")
    min_trust: Trust | None = Field(
        None, strict=False, description="Only playbooks at or above this trust level: reported is the lowest."
    )
    proven: bool | None = Field(None, description="True: only playbooks whose checks are proven.")
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = Field(10, description="At most so many results.")


class OnePlaybook(Arguments):
    """Which playbook."""

    slug: Slug = Field(description="The playbook's slug, as search results name it, such as `fix-flaky-tests`.")


class Page(Arguments):
    """Which page of a list."""

    cursor: Cursor | None = Field(None, description="`next_cursor` of the page before; absent for the first page.")
    limit: Annotated[int, Field(ge=1, le=100)] = Field(50, description="At most so many items on the page.")


class ReportArguments(RunReport):
    """How a run of a playbook went."""

    idempotency_key: Key | None = optional(
        "A text of your choice, such as a UUID: the same call with the same key is taken once."
    )


class SubmissionArguments(Submission):
    """Something for the library."""

    idempotency_key: Key | None = optional(
        "A text of your choice, such as a UUID: the same call with the same key is taken once."
    )


class OneSubmission(Arguments):
    """Which submission."""

    id: Annotated[str, Field(min_length=1, max_length=64)] = Field(description="The id that `submit` answered with.")
