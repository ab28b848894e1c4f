"""`POST /runs`: a run report into the queue."""

from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, request

from library.interface.answers import RunReceipt
from library.interface.errors import FieldProblem
from library.interface.intake import RunReport

from ..keys import make_id
from ..services import origin_of_request, sender, services
from ..store import NewRun
from .wire import created, once, read_model

runs = Blueprint("runs", __name__)


@runs.post("/runs")
def report_run() -> Response:
    """Queue a run report. To be used only after the end user was asked; it must hold no private data."""
    contributor = sender()
    report = read_model(request, RunReport, further=unknown_playbook)
    known = services().lookup(report.playbook)
    run = NewRun(
        id=make_id("run", services().random),
        playbook=known.slug if known else report.playbook,
        playbook_version=report.playbook_version or (known.version if known else ""),
        agent=report.agent,
        outcome=report.outcome,
        origin=origin_of_request(),
        agent_version=report.agent_version,
        model=report.model,
        what_changed=report.what_changed,
        lesson=report.lesson,
        duration_minutes=report.duration_minutes,
        reporter=contributor.handle if contributor else report.reporter,
        contributor_id=contributor.id if contributor else None,
    )

    def answer(name: str, received: str) -> bytes:
        return RunReceipt(
            id=name, playbook=run.playbook, playbook_version=run.playbook_version, received=received
        ).json_bytes()

    receipt = services().store.add_run(run, once(report, answer))
    return created(receipt.answer or answer(receipt.id, receipt.created))


def unknown_playbook(values: Mapping[str, Any]) -> Iterator[FieldProblem]:
    """What is wrong with the playbook that a report names: the library has none, or it was withdrawn."""
    slug = values.get("playbook")
    known = services().lookup(slug) if isinstance(slug, str) else None
    if isinstance(slug, str) and (known is None or known.withdrawn):
        detail = "was withdrawn; no run of it counts" if known else "is no playbook of this library"
        yield FieldProblem(pointer="/playbook", code="unknown-playbook", detail=detail)
