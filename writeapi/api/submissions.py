"""`/contributors`, `/runs` and `/submissions`: keys, into the queue, where it stands, and changes by its sender."""

import hashlib
import hmac
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

from flask import Blueprint, Response, g, request
from pydantic import BeforeValidator, Field

from library.interface import answers
from library.interface.errors import FORBIDDEN, HANDLE_TAKEN, INVALID, NOT_FOUND, FieldProblem, sentences
from library.interface.intake import VERSION, Intake, NewContributor, RunReport, Submission
from library.interface.resolving import Unresolved
from library.records.fields import CalendarDate, must
from library.records.vocabulary import SENDING, RunState, RunStatusWord, Scope, SubmissionKind, SubmissionState

from ..keys import bearer, hash_of, is_id, is_prefix, is_token, make_id, make_key, make_token
from ..services import KnownPlaybook, idempotency_key, once, origin_of_request, owner, sender, sent_key, services
from ..store.engine import Conflict, HandleTaken, NotFound
from ..store.records import NewRun, NewSubmission, ReviewStep, RunRecord, SubmissionRecord
from ..store.reviews import PUBLISHER, REVIEW_AGENT
from .wire import ApiError, created, invalid, read_model, read_query, reply

contributors = Blueprint("contributors", __name__)


class KeyQuery(Intake):
    """What a further key is to be for, with commas between, and its last day."""

    scopes: Annotated[
        tuple[Scope, ...] | None,
        BeforeValidator(lambda text: tuple(dict.fromkeys(text.split(","))) if isinstance(text, str) else text),
    ] = None
    until: CalendarDate | None = None


@contributors.post("/contributors")
def create_contributor() -> Response:
    """Create a contributor; the key in the answer is shown once. A retry is 409: an editor can reset a lost key."""
    wanted, _ = read_model(request, NewContributor, private=frozenset({"email"}))
    key = make_key(services().random)
    try:
        made = services().store.add_contributor(wanted.handle, wanted.email, key.hash, key.prefix, SENDING)
    except HandleTaken as error:
        raise ApiError(HANDLE_TAKEN, "Another contributor has this handle, perhaps in another spelling.") from error
    return created(answers.ContributorReceipt(handle=made.handle, api_key=key.text, created=made.created).json_bytes())


@contributors.get("/contributors/me")
def get_me() -> Response:
    """What a contributor sees of itself: its handle, its role and its keys."""
    me = owner()
    keys = tuple(
        answers.KeyRow(prefix=key.prefix, created=key.created, revoked=key.revoked, scopes=key.allows, until=key.until)
        for key in services().store.keys(me.id)
    )
    return reply(answers.Me(handle=me.handle, role=me.role, created=me.created, keys=keys).json_bytes())


@contributors.post("/contributors/me/keys")
def create_key() -> Response:
    """A further key, to change over to before the old one is revoked; it may do no more than the one that is sent."""
    me, wanted, store = owner(), read_query(KeyQuery, request.args.to_dict(flat=False)), services().store
    if (sent := store.key(sent_key())) is None:
        raise Conflict("The key was revoked meanwhile.")
    scopes = wanted.scopes or tuple(scope for scope in SENDING if scope in sent.allows) or sent.allows
    if not set(scopes) <= set(sent.allows):
        raise ApiError(FORBIDDEN, f"A key makes none that may do more than itself: {', '.join(sent.allows)}.")
    ends = [day for day in (wanted.until and wanted.until.isoformat(), sent.until) if day]
    key, until = make_key(services().random), min(ends, default=None)
    made = store.add_key(me.id, key.hash, key.prefix, by=f"c:{me.id}", scopes=scopes, until=until, minted_by=sent_key())
    answer = answers.KeyReceipt(prefix=made.prefix, api_key=key.text, created=made.created, scopes=scopes, until=until)
    return created(answer.json_bytes())


@contributors.delete("/contributors/me/keys/<prefix>")
def revoke_key(prefix: str) -> Response:
    """Revoke one of the caller's keys, perhaps the very one that was sent, and what it minted but the one sent."""
    me, store = owner(), services().store
    sent = store.key(sent_key())
    if any(key.prefix == prefix and not (sent and set(key.allows) <= set(sent.allows)) for key in store.keys(me.id)):
        raise ApiError(FORBIDDEN, "A key ends none that may do more than itself; send that key to end it.")
    if not is_prefix(prefix) or not store.revoke_key(me.id, prefix, by=f"c:{me.id}", spared=sent_key()):
        raise ApiError(NOT_FOUND, "You have no key that begins like that and still holds.")
    return Response(status=204, headers={"Cache-Control": "no-store"})


Role = Literal["sender", "review-agent", "editor", "publisher"]
_PROGRAMS: Mapping[str, Role] = {REVIEW_AGENT: "review-agent", PUBLISHER: "publisher"}
Sent = TypeVar("Sent", RunRecord, SubmissionRecord)
submissions = Blueprint("submissions", __name__)


class PageQuery(Intake):
    """Which part of a list is asked for."""

    limit: int = Field(20, ge=1, le=100)
    after: Annotated[str, must("not-allowed", is_id, "must be an id from this list: `next` of the page before")] = ""


@submissions.post("/runs")
def report_run() -> Response:
    """Queue a run report. To be used only after the end user was asked; it must hold no private data."""
    sender(Scope.REPORT)  # a key that is not valid is told before anything else
    report, sent = read_model(request, RunReport, further=partial(_wrong_playbook, to_be_run=True))
    known: KnownPlaybook = g.playbook
    content = report.model_dump(mode="json") | {
        "playbook": known.slug,
        "playbook_version": report.playbook_version or known.version,
    }
    new, nonce = _new("run")
    run = NewRun(**content | new)
    receipt = services().store.add(run, once(report, nonce))
    stored = run if receipt.fresh else _sent(services().store.run, receipt.id)
    told = answers.RunReceipt(
        id=receipt.id,
        playbook=stored.playbook,
        playbook_version=stored.playbook_version,
        received=receipt.created,
        status_url=f"{services().settings.api_url}/runs/{receipt.id}",
        edit_token=_token(receipt.id, receipt.answer or nonce),
        read_as=_read_as(sent, {**report.model_dump(mode="json"), "playbook": known.slug}),
    )
    return created(told.json_bytes(), told.status_url)


def _wrong_playbook(values: Mapping[str, Any], *, to_be_run: bool = False) -> Iterator[FieldProblem]:
    """That no playbook is called that, that it was withdrawn (which may be corrected), or never had that version.

    The one that it is stands in `g.playbook` from then on: whoever asked again might be told of a newer site.
    """
    name, version = values.get("playbook"), str(values.get("playbook_version")).strip().lower()
    if not isinstance(name, str) or not name.strip():
        return
    known = g.playbook = services().lookup(name)
    if isinstance(known, Unresolved):
        yield FieldProblem(pointer="/playbook", code="unknown-playbook", detail=known.mend)
    elif to_be_run and known.withdrawn:
        instead = f"; it was replaced by {known.replaced_by!r}" if known.replaced_by else ""
        detail = f"was withdrawn; no run of it counts{instead}"
        yield FieldProblem(pointer="/playbook", code="unknown-playbook", detail=detail)
    elif known.versions and VERSION.fullmatch(version) and version not in known.versions:
        detail = f"is no version that it ever had; known are {', '.join(known.versions)}, of which the first is present"
        yield FieldProblem(pointer="/playbook_version", code="unknown-version", detail=detail)


def _read_as(sent: Mapping[str, Any], read: Mapping[str, Any]) -> answers.ReadAs | None:
    """The fields that were read otherwise than they were sent; None where none was."""
    other = {
        name: read[name]
        for name in answers.ReadAs.model_fields
        if sent.get(name) is not None and sent[name] != read[name]
    }
    return answers.ReadAs(**other) if other else None


@submissions.post("/submissions")
def submit() -> Response:
    """Queue a submission: a use case, a lesson, a correction or a whole playbook."""
    sender(Scope.SUBMIT)  # a key that is not valid is told before anything else
    sent, given = read_model(request, Submission, further=_wrong_playbook)
    content = _content(sent) | {"kind": sent.kind, "reporter": sent.reporter}
    new, nonce = _new("sub")
    receipt = services().store.add(NewSubmission(**content | new), once(sent, nonce))
    told = answers.SubmissionReceipt(
        id=receipt.id,
        status_url=f"{services().settings.api_url}/submissions/{receipt.id}",
        edit_token=_token(receipt.id, receipt.answer or nonce),
        read_as=_read_as(given, content),
    )
    return created(told.json_bytes(), told.status_url)


def _content(sent: Submission) -> dict[str, Any]:
    """What a submission says: every field of it, so that what an answer leaves out is gone."""
    said: dict[str, Any] = {name: getattr(sent, name) for name in ("title", "body", "agent", "playbook", "source_url")}
    said["playbook"] = g.playbook.slug if sent.playbook else None
    return said | {"payload": sent.payload.model_dump(mode="json", exclude_none=True) if sent.payload else None}


def _new(kind: str) -> tuple[dict[str, Any], bytes]:
    """The id of something new with what is kept of who sent it, and the nonce of its edit token."""
    name, nonce, contributor = make_id(kind, services().random), services().random(16).hex().encode(), sender()
    who = {"reporter": contributor.handle, "contributor_id": contributor.id} if contributor else {}
    return {"id": name, "origin": origin_of_request(), "edit_hash": hash_of(_token(name, nonce)), **who}, nonce


def _token(name: str, nonce: bytes) -> str:
    """The edit token of a report or a submission.

    It is made from a nonce that only the store knows and from the idempotency key, of which the store keeps a hash
    only: a retry gets the same token, and neither a stolen database nor a guessed key is enough to make one.
    """
    key = idempotency_key() or ""
    mixed = hmac.new(nonce + key.encode(), name.encode(), hashlib.sha256).digest()
    return make_token(lambda _length: mixed)


@submissions.get("/runs/<name>")
def get_run(name: str) -> Response:
    """Where a run report stands; of one that came to another service, by the public record."""
    try:
        found = run_status_of(_sent(services().store.run, name), services().has_run)
    except ApiError:
        if (built := services().built_run(name)) is None:
            raise
        found = built
    return reply(found.json_bytes())


@submissions.delete("/runs/<name>")
def withdraw_run(name: str) -> Response:
    """Withdraw a run report; what was written of it is taken out of the content as after an editor's withdrawal."""
    _owned(services().store.run, name)
    services().store.move(name, RunState.WITHDRAWN, by="sender")
    return get_run(name)


@submissions.get("/submissions/<name>")
def get_status(name: str) -> Response:
    """Where a submission stands."""
    return reply(status_of(_sent(services().store.submission, name)).json_bytes())


@submissions.put("/submissions/<name>")
def answer_changes(name: str) -> Response:
    """Take the whole submission anew, while it is queued or changes are asked for; it is screened again."""
    record = _owned(services().store.submission, name)
    sent, _ = read_model(request, Submission, further=_wrong_playbook)
    if sent.kind != SubmissionKind(record.kind):
        detail = f"must stay {record.kind!r}; send another submission for another kind"
        raise invalid([FieldProblem(pointer="/kind", code="kind-changed", detail=detail)])
    services().store.move(name, SubmissionState.QUEUED, by="sender", **_content(sent))
    return get_status(name)


@submissions.delete("/submissions/<name>")
def withdraw(name: str) -> Response:
    """Withdraw a submission that is neither published nor closed; an accepted one comes back from its way."""
    _owned(services().store.submission, name)
    services().store.move(name, SubmissionState.WITHDRAWN, by="sender")
    return get_status(name)


@submissions.get("/contributors/me/runs")
def list_own_runs() -> Response:
    """The run reports that came with the caller's keys, newest first."""
    total, found, following = _page(RunRecord)
    items = tuple(run_status_of(record, services().has_run) for record in found)
    return reply(answers.OwnRuns(total=total, items=items, next=following).json_bytes())


@submissions.get("/contributors/me/submissions")
def list_own_submissions() -> Response:
    """The submissions that came with the caller's keys, newest first."""
    total, found, following = _page(SubmissionRecord)
    return reply(answers.OwnSubmissions(total=total, items=tuple(map(status_of, found)), next=following).json_bytes())


def _page(kind: type[Sent]) -> tuple[int, list[Sent], str | None]:
    """How many the caller sent, those of the page that is asked for, and after which the next one begins.

    Raises `ApiError` 401 without a key, 422 for parameters that no list has.
    """
    me, asked = owner(), read_query(PageQuery, request.args.to_dict(flat=False))
    try:
        total, found = services().store.sent_by(me.id, kind, limit=asked.limit + 1, after=asked.after)
    except NotFound as error:
        where = FieldProblem(pointer="/after", code="unknown-id", detail="is none that you sent; leave it out")
        raise ApiError(INVALID, "The list begins at no such place.", [where]) from error
    return total, found[: asked.limit], found[asked.limit - 1].id if len(found) > asked.limit else None


def _sent(find: Callable[[str], Sent | None], name: str) -> Sent:
    record = find(name) if is_id(name) else None
    if record is None:
        what = "run report" if request.path.startswith("/runs/") else "submission"
        raise ApiError(NOT_FOUND, f"There is no {what} with this id; the receipt of what was sent has it.")
    return record


def _owned(find: Callable[[str], Sent | None], name: str) -> Sent:
    """The report or submission, if it is the caller's: by the key that sent it, or by its edit token."""
    secret = bearer(request.headers.get("Authorization"))
    token = secret if secret and is_token(secret) else None
    contributor = None if token else sender(Scope.REPORT if name.startswith("run_") else Scope.SUBMIT)
    record = _sent(find, name)
    by_token = bool(token and record.edit_hash and hmac.compare_digest(hash_of(token), record.edit_hash))
    by_key = contributor is not None and contributor.id == record.contributor_id
    if not by_token and not by_key:
        raise ApiError(FORBIDDEN, "Send the key that sent it, or its edit token, as `Authorization: Bearer …`.")
    who = services().store.contributor(record.contributor) if record.contributor else None
    if by_token and who and who.revoked is not None:  # an edit token is no way around that
        raise ApiError(FORBIDDEN, "Its contributor was revoked, and its edit token with it.")
    return record


def status_of(record: SubmissionRecord) -> answers.SubmissionStatus:
    """What everybody may see of a submission: where it stands, and why; never its body nor who sent it."""
    history = tuple(answers.HistoryStep(status=SubmissionState(row.became), **_of_step(row)) for row in record.history)
    asked = history[-1] if record.state == SubmissionState.CHANGES_REQUESTED else None
    return answers.SubmissionStatus(
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


def run_status_of(record: RunRecord, has_run: Callable[[str], bool]) -> answers.RunStatus:
    """The same of a run report, which is published once its file is in the content, or the site has it (`has_run`)."""
    history = tuple(answers.RunStep(status=RunStatusWord(row.became), **_of_step(row)) for row in record.history)
    in_content = (record.went or "").startswith("content")
    if len(history) > 1 and history[1].status == RunStatusWord.APPROVED and (in_content or has_run(record.id)):
        written = ReviewStep(RunStatusWord.PUBLISHED, record.filed or record.updated, PUBLISHER, (), None, 0)
        history = (*history[:2], answers.RunStep(status=RunStatusWord.PUBLISHED, **_of_step(written)), *history[2:])
    return answers.RunStatus(
        id=record.id,
        playbook=record.playbook,
        playbook_version=record.playbook_version,
        status=history[-1].status,
        received=record.created,
        updated=history[-1].at,
        history=history,
    )


def _of_step(row: ReviewStep) -> dict[str, Any]:
    """What is told of a step. Notes are shown where an editor wrote them: those of programs hold findings, for editors.

    For the same reason a screening shows no reasons unless it rejected.
    """
    by: Role = "editor" if row.by.partition(":")[0] == "editor" else _PROGRAMS.get(row.by, "sender")
    reasons = () if by == REVIEW_AGENT and row.became != SubmissionState.REJECTED else row.reasons
    note = row.note if by == "editor" else None
    return {"at": row.at, "by": by, "reasons": reasons, "sentences": sentences(reasons), "note": note}
