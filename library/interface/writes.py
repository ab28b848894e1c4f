"""Every operation that writes: run reports, contributors and their keys, submissions."""

from __future__ import annotations

from ..records.vocabulary import RunState, SubmissionState
from .errors import FORBIDDEN, HANDLE_TAKEN, NOT_FOUND, STATE_CONFLICT
from .intake import NewContributor, RunReport, Submission
from .live import SUBMISSION_ID
from .parts import (
    IDEMPOTENCY_KEY,
    OF_BODIES,
    OF_KEYS,
    OF_ONCE,
    OF_WRITES,
    SAMPLE_AGENT,
    SAMPLE_PLAYBOOK,
    WRITE_HEADERS,
    Example,
    Operation,
    Parameter,
)
from .receipts import ContributorReceipt, KeyReceipt, RunReceipt, SubmissionReceipt, SubmissionStatus

CONSENT = (
    "**Use it only after asking the end user: say what will be sent and that it becomes public once it is approved. It"
    " must hold no private data and no secrets:** no names, addresses, numbers, keys or passwords, and nothing of the"
    " user's own code or documents."
)
LICENCE = "Sending it means agreeing that it is published under the library's content licence."
_TIME = "2026-11-20T12:00:00Z"
_SUBMISSION = "sub_n3dq5xk7aw2m4hbtzc6yjrlvpe"
_SENT = {
    "title": "Step 2 names a command that is gone",
    "body": "The runner has had no such command since its last major version.",
}

WRITES: tuple[Operation, ...] = (
    Operation(
        "POST",
        "/runs",
        "reportRun",
        "runs",
        "Report how a run of a playbook went",
        f"{CONSENT} {LICENCE}\n\nThe report waits for an editor; only approved reports are shown and counted. Private"
        " data that has a recognisable shape is 422, and its value is neither stored nor repeated. A playbook that is"
        " not there or was withdrawn is 422 with the code `unknown-playbook`.",
        RunReceipt,
        201,
        takes=RunReport,
        parameters=(IDEMPOTENCY_KEY,),
        proof="key or none",
        headers=WRITE_HEADERS,
        refuses=(*OF_KEYS, *OF_ONCE),
        live=True,
        examples=(
            Example(
                "least",
                "No more than is needed",
                {"playbook": SAMPLE_PLAYBOOK, "agent": SAMPLE_AGENT, "outcome": "worked"},
            ),
            Example(
                "changes",
                "It worked, after something was done otherwise than written",
                {
                    "playbook": SAMPLE_PLAYBOOK,
                    "agent": SAMPLE_AGENT,
                    "outcome": "worked_with_changes",
                    "what_changed": "The second step had to come first.",
                    "duration_minutes": 45,
                },
            ),
        ),
        shows={
            "id": "run_ihkftplydb3bhjwhf4myce3itl",
            "status": RunState.PENDING,
            "playbook": SAMPLE_PLAYBOOK,
            "playbook_version": "8d8e79bc269d",
            "received": _TIME,
        },
    ),
    Operation(
        "POST",
        "/submissions",
        "submit",
        "submissions",
        "Send something for the library",
        "A use case, a lesson, a correction, or a whole playbook, which needs `payload`. "
        f"{CONSENT} {LICENCE}\n\nIt is looked at by a review agent and then by an editor. `edit_token` is shown here"
        " only (and to a retry with the same `Idempotency-Key`): whoever has it may answer or withdraw the submission.",
        SubmissionReceipt,
        201,
        takes=Submission,
        parameters=(IDEMPOTENCY_KEY,),
        proof="key or none",
        headers=("Location", *WRITE_HEADERS),
        refuses=(*OF_KEYS, *OF_ONCE),
        live=True,
        examples=(
            Example("correction", "Something is wrong", {"kind": "correction", "playbook": SAMPLE_PLAYBOOK, **_SENT}),
            Example(
                "playbook",
                "A whole playbook",
                {
                    "kind": "playbook",
                    "title": "Add licence headers",
                    "body": "For repositories whose licence asks for one.",
                    "payload": {
                        "title": "Add licence headers",
                        "agents": [SAMPLE_AGENT],
                        "summary": "Puts a header on every source file.",
                        "prompt": "Add the header in {{header}} to every source file that has none.",
                        "steps": ["List the source files without a header.", "Add it, and run the tests."],
                    },
                },
            ),
        ),
        leads=("getSubmission", "answerChanges", "withdrawSubmission"),
        shows={
            "id": _SUBMISSION,
            "status": SubmissionState.QUEUED,
            "status_url": f"https://playbooks.example/api/v1/submissions/{_SUBMISSION}",
            "edit_token": "edt_…",
        },
    ),
    Operation(
        "PUT",
        "/submissions/{id}",
        "answerChanges",
        "submissions",
        "Answer requested changes",
        "The whole submission anew: what is left out is gone, and `kind` must stay what it was. Only while changes are"
        " asked for, and only for its sender: the key that sent it, or its edit token.",
        SubmissionStatus,
        takes=Submission,
        parameters=(SUBMISSION_ID,),
        proof="key or token",
        headers=WRITE_HEADERS,
        refuses=(*OF_KEYS, FORBIDDEN, NOT_FOUND, STATE_CONFLICT, *OF_BODIES),
        live=True,
        examples=(Example("answer", "Mended", {"kind": "correction", "playbook": SAMPLE_PLAYBOOK, **_SENT}),),
    ),
    Operation(
        "DELETE",
        "/submissions/{id}",
        "withdrawSubmission",
        "submissions",
        "Withdraw a submission",
        "For its sender, by the key that sent it or its edit token, in any open state. Its status can still be read:"
        " it is `withdrawn`.",
        SubmissionStatus,
        parameters=(SUBMISSION_ID,),
        proof="key or token",
        headers=WRITE_HEADERS,
        refuses=(*OF_KEYS, FORBIDDEN, NOT_FOUND, STATE_CONFLICT, *OF_WRITES),
        live=True,
    ),
    Operation(
        "POST",
        "/contributors",
        "createContributor",
        "contributors",
        "Create a contributor",
        "The API key is in this answer and never again. A retry is 409. `handle` is public, and some words are"
        " reserved; `email` is never shown.",
        ContributorReceipt,
        201,
        takes=NewContributor,
        headers=WRITE_HEADERS,
        refuses=(HANDLE_TAKEN, *OF_BODIES),
        live=True,
        examples=(Example("handle", "A handle is all that is needed", {"handle": "your-handle"}),),
        shows={"handle": "your-handle", "api_key": "pbl_…", "created": _TIME},
    ),
    Operation(
        "POST",
        "/contributors/me/keys",
        "createKey",
        "contributors",
        "Make a further key",
        "To change over to before the old one is revoked. Shown here and never again.",
        KeyReceipt,
        201,
        proof="key",
        headers=WRITE_HEADERS,
        refuses=(*OF_KEYS, *OF_WRITES),
        live=True,
        shows={"prefix": "pbl_Q2x0aBcD", "api_key": "pbl_…", "created": _TIME},
    ),
    Operation(
        "DELETE",
        "/contributors/me/keys/{prefix}",
        "revokeKey",
        "contributors",
        "Revoke a key",
        "One of your own, perhaps the very one that is sent. The answer has no body.",
        None,
        204,
        parameters=(
            Parameter(
                "prefix",
                "path",
                "The first 12 characters of the key.",
                {"type": "string", "pattern": "^pbl_[0-9A-Za-z]{8}$"},
                required=True,
            ),
        ),
        proof="key",
        headers=WRITE_HEADERS,
        refuses=(*OF_KEYS, NOT_FOUND, *OF_WRITES),
        live=True,
    ),
)
