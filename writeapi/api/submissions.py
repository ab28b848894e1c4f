"""`POST /runs` and `/submissions`: into the queue, a submission's status for everybody, changes by its sender."""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Literal

from flask import Blueprint, Response, request

from library.interface.answers import HistoryStep, RunReceipt, SubmissionReceipt, SubmissionStatus
from library.interface.errors import FORBIDDEN, NOT_FOUND, STATE_CONFLICT, FieldProblem
from library.interface.intake import RunReport, Submission
from library.interface.reasons import sentences
from library.records.vocabulary import SubmissionKind, SubmissionState

from ..keys import bearer, hash_of, is_id, is_token, make_id, make_token
from ..services import idempotency_key, once, origin_of_request, sender, services
from ..store.engine import Conflict
from ..store.records import NewRun, NewSubmission, ReviewStep, SubmissionRecord
from ..store.reviews import PUBLISHER, REVIEW_AGENT
from .wire import ApiError, created, invalid, read_model, reply

Role = Literal["sender", "review-agent", "editor", "publisher"]
_PROGRAMS: Mapping[str, Role] = {REVIEW_AGENT: "review-agent", PUBLISHER: "publisher"}
submissions = Blueprint("submissions", __name__)


@submissions.post("/runs")
def report_run() -> Response:
    """Queue a run report. To be used only after the end user was asked; it must hold no private data."""
    contributor = sender()
    report = read_model(request, RunReport, further=partial(_unknown_playbook, to_be_run=True))
    known = services().lookup(report.playbook)
    run = NewRun(
        **report.model_dump(mode="json")
        | {
            "id": make_id("run", services().random),
            "playbook": known.slug if known else report.playbook,
            "playbook_version": report.playbook_version or (known.version if known else ""),
            "origin": origin_of_request(),
            "reporter": contributor.handle if contributor else report.reporter,
            "contributor_id": contributor.id if contributor else None,
        }
    )

    def answer(name: str, received: str) -> bytes:
        version = run.playbook_version
        return RunReceipt(id=name, playbook=run.playbook, playbook_version=version, received=received).json_bytes()

    receipt = services().store.add(run, once(report, answer))
    return created(receipt.answer or answer(receipt.id, receipt.created))


def _unknown_playbook(values: Mapping[str, Any], *, to_be_run: bool = False) -> Iterator[FieldProblem]:
    """That the library has no playbook of the slug that is referred to, or a withdrawn one, which may be corrected."""
    slug = values.get("playbook")
    known = services().lookup(slug) if isinstance(slug, str) else None
    if isinstance(slug, str) and (known is None or (to_be_run and known.withdrawn)):
        detail = "was withdrawn; no run of it counts" if known else "is no playbook of this library"
        yield FieldProblem(pointer="/playbook", code="unknown-playbook", detail=detail)


@submissions.post("/submissions")
def submit() -> Response:
    """Queue a submission: a use case, a lesson, a correction or a whole playbook."""
    contributor = sender()
    sent = read_model(request, Submission, further=_unknown_playbook)
    name = make_id("sub", services().random)
    nonce = services().random(16).hex().encode()
    new = NewSubmission(
        id=name,
        kind=sent.kind,
        origin=origin_of_request(),
        **_content(sent),
        reporter=contributor.handle if contributor else sent.reporter,
        contributor_id=contributor.id if contributor else None,
        edit_hash=hash_of(_token(name, nonce)),
    )
    receipt = services().store.add(new, once(sent, lambda _id, _at: nonce))
    token = _token(receipt.id, receipt.answer or nonce)
    url = f"{services().settings.api_url}/submissions/{receipt.id}"
    return created(SubmissionReceipt(id=receipt.id, status_url=url, edit_token=token).json_bytes(), url)


def _content(sent: Submission) -> dict[str, Any]:
    """What a submission says: every field of it, so that what an answer leaves out is gone."""
    said: dict[str, Any] = {name: getattr(sent, name) for name in ("title", "body", "agent", "playbook", "source_url")}
    return said | {"payload": sent.payload.model_dump(mode="json", exclude_none=True) if sent.payload else None}


def _token(name: str, nonce: bytes) -> str:
    """The edit token of a submission.

    It is made from a nonce that only the store knows and from the idempotency key, of which the store keeps a hash
    only: a retry gets the same token, and neither a stolen database nor a guessed key is enough to make one.
    """
    key = idempotency_key() or ""
    mixed = hmac.new(nonce + key.encode(), name.encode(), hashlib.sha256).digest()
    return make_token(lambda _length: mixed)


@submissions.get("/submissions/<name>")
def get_status(name: str) -> Response:
    """Where a submission stands."""
    return reply(status_of(_existing(name)).json_bytes())


@submissions.put("/submissions/<name>")
def answer_changes(name: str) -> Response:
    """Answer requested changes with the whole submission anew; it goes back into the queue."""
    record = _owned(name)
    sent = read_model(request, Submission, further=_unknown_playbook)
    if sent.kind != SubmissionKind(record.kind):
        detail = f"must stay {record.kind!r}; send another submission for another kind"
        raise invalid([FieldProblem(pointer="/kind", code="kind-changed", detail=detail)])
    try:
        services().store.answer_submission(name, _content(sent), by="sender")
    except Conflict as error:
        raise ApiError(STATE_CONFLICT, "No changes are asked for; its status says where it stands.") from error
    return get_status(name)


@submissions.delete("/submissions/<name>")
def withdraw(name: str) -> Response:
    """Withdraw a submission that is neither published nor closed; an accepted one comes back from its way."""
    _owned(name)
    try:
        services().store.move(name, SubmissionState.WITHDRAWN, by="sender")
    except Conflict as error:
        why = "It was published, rejected or withdrawn already; its status says which."
        raise ApiError(STATE_CONFLICT, why) from error
    return get_status(name)


def _existing(name: str) -> SubmissionRecord:
    record = services().store.submission(name) if is_id(name) else None
    if record is None:
        raise ApiError(NOT_FOUND, "There is no submission with this id.")
    return record


def _owned(name: str) -> SubmissionRecord:
    """The submission, if it is the caller's: by the key that sent it, or by its edit token."""
    secret = bearer(request.headers.get("Authorization"))
    token = secret if secret and is_token(secret) else None
    contributor = None if token else sender()
    record = _existing(name)
    by_token = bool(token and record.edit_hash and hmac.compare_digest(hash_of(token), record.edit_hash))
    by_key = contributor is not None and contributor.id == record.contributor_id
    if not by_token and not by_key:
        raise ApiError(FORBIDDEN, "Send the key that sent it, or its edit token, as `Authorization: Bearer …`.")
    who = services().store.contributor(record.contributor) if record.contributor else None
    if by_token and who and who.revoked is not None:  # an edit token is no way around that
        raise ApiError(FORBIDDEN, "Its contributor was revoked, and its edit token with it.")
    return record


def status_of(record: SubmissionRecord) -> SubmissionStatus:
    """What everybody may see of a submission: where it stands, and why; never its body nor who sent it."""
    history = tuple(map(_step, record.history))
    asked = history[-1] if record.state == SubmissionState.CHANGES_REQUESTED else None
    return SubmissionStatus(
        id=record.id,
        kind=SubmissionKind(record.kind),
        title=record.title,
        status=SubmissionState(record.state),
        created=record.created,
        updated=record.updated,
        history=history,
        what_to_change=(*asked.sentences, *filter(None, [asked.note])) if asked else None,
        place=record.place if record.state == SubmissionState.PUBLISHED else None,
    )


def _step(row: ReviewStep) -> HistoryStep:
    """One step. Notes are shown where an editor wrote them: those of programs hold findings, which are for editors.

    For the same reason a screening shows no reasons unless it rejected.
    """
    by: Role = "editor" if row.by.partition(":")[0] == "editor" else _PROGRAMS.get(row.by, "sender")
    reasons = () if by == REVIEW_AGENT and row.became != SubmissionState.REJECTED else row.reasons
    return HistoryStep(
        status=SubmissionState(row.became),
        at=row.at,
        by=by,
        reasons=reasons,
        sentences=sentences(reasons),
        note=row.note if by == "editor" else None,
    )
