"""The lists: what waits, the approval of several reports at once, what is on its way, and a playbook's withdrawal."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from flask import Response, request

from library.interface.reasons import codes_for
from library.problems import UsageError
from library.records.fields import SLUG
from library.records.vocabulary import Decision, OutboxState, SubmissionKind
from writeapi.keys import is_id
from writeapi.store.engine import NotFound

from ..decisions import decide
from .site import Form, age, asked_for, counted, editor, moved, page, site

PER_PAGE = 100
KINDS = ("run", *SubmissionKind)
_MOST = 10_000


def waiting() -> Response:
    """The queue: oldest first, with the size of all of it on top."""
    approved = request.args.get("done") == "approve"
    return _queue(request.args, said="The reports are approved and on their way." if approved else "")


def _queue(
    asked: Mapping[str, str], status: int = 200, *, said: str = "", refused: Mapping[str, str] | None = None
) -> Response:
    place = site()
    kind = asked.get("kind", "") if asked.get("kind") in KINDS else ""
    playbook = asked.get("playbook", "").strip()
    start = int(text) if (text := asked.get("from", "")).isascii() and text.isdigit() and len(text) < 6 else 0
    store, now = place.review.store, place.clock()
    known = not playbook or SLUG.fullmatch(playbook)
    rows = store.waiting(kind=kind, playbook=playbook, limit=PER_PAGE + 1, offset=min(start, _MOST)) if known else []
    size = store.queue_size()
    batch = bool(playbook) and any(row.kind == "run" for row in rows)
    return page(
        "queue.html",
        status,
        rows=rows[:PER_PAGE],
        ages={row.id: age(row.created, now) for row in rows},
        more=start + PER_PAGE if len(rows) > PER_PAGE else None,
        size=size,
        oldest=age(size.oldest, now) if size.oldest else "",
        kind=kind,
        kinds=KINDS,
        playbook=playbook,
        batch=batch,
        told=store.lessons([row.id for row in rows if row.kind == "run"]) if batch else {},
        said=said,
        bad=status != 200,
        refused=refused or {},
    )


def approve_runs() -> Response:
    """Approve the reports that were ticked; those that could not be are named, the others are approved."""
    asked = {"playbook": Form(request.form).line("playbook")}
    try:
        chosen: list[tuple[str, int]] = []  # each report, and the version of it that was looked at
        for subject, _, version in (text.partition(":") for text in request.form.getlist("run")):
            if not (is_id(subject) and version.isascii() and version.isdigit() and len(version) < 9):
                raise UsageError("The form does not name reports; open the page again.")
            chosen.append((subject, int(version)))
        if not chosen:
            raise UsageError("Tick the reports to approve; nothing was changed.")
        if len({name for name, _ in chosen}) < len(chosen):
            raise UsageError("The form names a report twice; open the page again. Nothing was changed.")
        refused = decide.approve(site().review, editor(), chosen)
    except UsageError as error:
        return _queue(asked, 422, said=str(error))
    if refused:
        approved = sum(name not in refused for name, _ in chosen)
        return _queue(asked, 409, said=f"{counted(approved, 'report')} approved. Not approved:", refused=refused)
    return moved("/?done=approve")


def on_its_way() -> Response:
    """What was decided and is not published yet, and how far it is."""
    store = site().review.store
    accepted = store.accepted()
    shown = {entry.id for _, entries in accepted for entry in entries}
    others = [entry for entry in store.outbox(OutboxState.WAITING) if entry.id not in shown]
    by_subject = [(subject, list(entries)) for subject, entries in groupby(others, key=lambda entry: entry.subject)]
    return page("on-its-way.html", accepted=accepted, others=by_subject)


def ask_withdrawal() -> Response:
    """The form that takes a playbook back."""
    return _withdrawal({"playbook": request.args.get("playbook", "")}, (), "")


def _withdrawal(typed: Mapping[str, str], ticked: Sequence[str], said: str, status: int = 200) -> Response:
    return page("withdraw.html", status, typed=typed, ticked=ticked, said=said, codes=codes_for(Decision.WITHDRAW))


def withdraw_playbook() -> Response:
    """Take a playbook back: its page becomes a tombstone when that is published."""
    form = Form(request.form)
    slug, replaced_by, reasons = form.line("playbook"), form.line("replaced-by"), form.reasons("withdraw")
    try:
        note = form.note("withdraw")
        decide.withdraw(site().review, editor(), slug, reasons, note, replaced_by=replaced_by or None)
    except decide.EditRefused as error:
        return _withdrawal(form, reasons, "\n".join(map(asked_for, error.problems)), 422)
    except UsageError as error:
        return _withdrawal(form, reasons, str(error), 422)
    except NotFound:
        return _withdrawal(form, reasons, "The library has no playbook of this name.", 422)
    return moved("/on-its-way")
