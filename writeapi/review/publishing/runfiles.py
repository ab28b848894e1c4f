"""The file that an approved run report becomes, and the tombstone that a withdrawn one leaves."""

from __future__ import annotations

from library.content.formatting import canonical
from library.content.yamlfile import Value
from library.records.vocabulary import RunState
from writeapi.store import RunRecord


def run_file(run: RunRecord, playbook: str) -> tuple[str, bytes]:
    """The name and the bytes of a report's file; `playbook` is the present slug of its playbook.

    Of a withdrawn report what it said is left out: what stays says that there was one.
    """
    withdrawn = run.state is RunState.WITHDRAWN
    values: dict[str, str | None] = {
        "playbook": playbook,
        "playbook_version": run.playbook_version,
        "agent": run.agent,
        "agent_version": run.agent_version,
        "model": run.model,
        "outcome": run.outcome,
        "what_changed": None if withdrawn else run.what_changed,
        "lesson": None if withdrawn else run.lesson,
        "duration_minutes": None if run.duration_minutes is None else str(run.duration_minutes),
        "reporter": run.contributor or (None if withdrawn else run.reporter),
        "verified": "true" if run.contributor else None,
        "contributor_since": run.contributor_since[:10] if run.contributor_since else None,
        "reported": run.created,
        "status": RunState.WITHDRAWN if withdrawn else None,
    }
    file = f"runs/{playbook}/{run.id}.yaml"
    given: dict[str, Value] = {name: value for name, value in values.items() if value is not None}
    return file, canonical(given, file)
