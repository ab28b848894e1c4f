"""What all parts of the store share: its database, its clock, and the one way to write an audit row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from sqlalchemy import Connection, insert

from .engine import Database
from .schema import audit


class StorePart:
    """A part of the store."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def _now(self) -> str:
        """The time as the database keeps it: text of one length, so that its order is that of time."""
        return self._clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


_INSERT_AUDIT = insert(audit)


def shown(moment: str) -> str:
    """A time of the database as everybody else sees it: to the second."""
    return f"{moment[:19]}Z"


def shown_or_none(moment: str | None) -> str | None:
    """The same for a time that may not have come."""
    return None if moment is None else shown(moment)


def person(contributor_id: int) -> str:
    """A contributor as the audit and callers' names know one: never by handle."""
    return f"c:{contributor_id}"


def record(
    connection: Connection,
    subject: str,
    became: str,
    *,
    at: str,
    by: str,
    was: str | None = None,
    version: int | None = None,
    reasons: Iterable[str] = (),
    note: str | None = None,
) -> None:
    """Write one audit row. A second one for the same version of a subject cannot be written."""
    values = {"subject": subject, "version": version, "at": at, "who": by, "was": was, "became": became}
    connection.execute(_INSERT_AUDIT, {**values, "reasons": list(reasons), "note": note})
