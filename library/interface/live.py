"""Every operation that reads what a server answers: search, the status of a submission, an own record, health."""

from __future__ import annotations

from typing import Literal

from ..records.fields import optional
from ..records.vocabulary import Profile, ResultType, Trust
from ..search.answers import SearchAnswer
from .answers import Answer
from .errors import INVALID, NOT_FOUND, SEARCH_AWAY
from .parts import IF_NONE_MATCH, LIVE_HEADERS, OF_KEYS, OF_LIVE, OF_STORE, Operation, Parameter
from .receipts import Me, SubmissionStatus

SUBMISSION_ID = Parameter(
    "id",
    "path",
    "The id of the submission, from its receipt.",
    {"type": "string", "pattern": "^sub_[a-z2-7]{26}$"},
    required=True,
)


class Health(Answer):
    """Whether the server is well."""

    status: Literal["ok", "ready"]
    warnings: tuple[str, ...] | None = optional()


LIVE: tuple[Operation, ...] = (
    Operation(
        "GET",
        "/search",
        "search",
        "library",
        "Search",
        "Search results across playbooks, lessons, agents and jobs. An exact title or slug comes first; withdrawn"
        " playbooks are not found. Every parameter but `q` counts as absent where it is empty; one that is not known,"
        " or stands twice, is 422.",
        SearchAnswer,
        parameters=(
            Parameter(
                "q",
                "query",
                "The job in plain words; never a query language.",
                {"type": "string", "minLength": 1, "maxLength": 500, "pattern": "\\S"},
                required=True,
                sample="flaky tests",
            ),
            Parameter(
                "type",
                "query",
                "Only results of this type.",
                {"type": "string", "enum": list(ResultType)},
                may_be_empty=True,
            ),
            Parameter("agent", "query", "The slug of an agent.", {"type": "string"}, may_be_empty=True),
            Parameter("category", "query", "The slug of a category.", {"type": "string"}, may_be_empty=True),
            Parameter(
                "min_trust",
                "query",
                "Playbooks at or above this level; leaves out the other types unless `type` asks for one.",
                {"type": "string", "enum": list(Trust)},
                may_be_empty=True,
            ),
            Parameter(
                "limit",
                "query",
                "How many results.",
                {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
                may_be_empty=True,
            ),
            Parameter(
                "profile",
                "query",
                "`best` for a question that was sent, `fast` for one that is being typed.",
                {"type": "string", "enum": list(Profile), "default": "best"},
                may_be_empty=True,
            ),
            IF_NONE_MATCH,
        ),
        headers=("ETag", *LIVE_HEADERS),
        also=(304,),
        refuses=(INVALID, SEARCH_AWAY, *OF_LIVE),
        live=True,
    ),
    Operation(
        "GET",
        "/submissions/{id}",
        "getSubmission",
        "submissions",
        "Where a submission stands",
        "For whoever knows its id. Never its body, never who sent it.",
        SubmissionStatus,
        parameters=(SUBMISSION_ID,),
        headers=LIVE_HEADERS,
        refuses=(NOT_FOUND, *OF_STORE),
        live=True,
    ),
    Operation(
        "GET",
        "/contributors/me",
        "getOwnRecord",
        "contributors",
        "Your own record",
        "Handle, role and keys of the contributor whose key is sent; each key by its first characters.",
        Me,
        proof="key",
        headers=LIVE_HEADERS,
        refuses=(*OF_KEYS, *OF_STORE),
        live=True,
    ),
    Operation(
        "GET",
        "/healthz",
        "getHealth",
        "service",
        "Whether the server lives",
        "It looks at nothing else.",
        Health,
        headers=LIVE_HEADERS,
        refuses=OF_LIVE,
        live=True,
    ),
    Operation(
        "GET",
        "/readyz",
        "getReadiness",
        "service",
        "Whether the server can answer",
        "Whether it can search, read and write its queue, and has room on its disk; 503 with every reason if it cannot."
        " `warnings` say what an operator has to look at.",
        Health,
        headers=LIVE_HEADERS,
        refuses=(SEARCH_AWAY, *OF_STORE),
        live=True,
    ),
)
