"""What all parts of the store share: its database, its clock, how rows become records, and how the audit is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields as fields_of
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, Executable, Row, insert

from .engine import Database
from .errors import NotFound
from .schema import audit

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")


class StorePart:
    """A part of the store."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def _now(self, **later: int) -> str:
        """The time, or one so many `days` or `hours` later, as the database keeps it."""
        moment = self._clock().astimezone(UTC) + timedelta(**later)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def _rows(self, wanted: Executable) -> Sequence[Row[*tuple[Any, ...]]]:
        """What a query finds, in a transaction of its own."""
        with self._database.read() as connection:
            return connection.execute(wanted).all()

    def _records(self, kind: type[R], wanted: Executable) -> list[R]:
        """The same as records."""
        return [as_record(kind, row) for row in self._rows(wanted)]

    def _record(self, kind: type[R], wanted: Executable) -> R | None:
        """The first of them."""
        return next(iter(self._records(kind, wanted)), None)


def as_record(kind: type[R], row: Row[*tuple[Any, ...]], **more: object) -> R:
    """A record of this kind from the columns of the same names, and from what is given besides."""
    names = [field.name for field in fields_of(kind)]
    return kind(**{name: more[name] if name in more else getattr(row, name) for name in names})


def columns(new: DataclassInstance) -> dict[str, Any]:
    """What a new record says, by column."""
    return {field.name: getattr(new, field.name) for field in fields_of(new)}


def existing(record_or_none: R | None) -> R:
    """The record. Raises `NotFound` where there is none."""
    if record_or_none is None:
        raise NotFound("There is no such record.")
    return record_or_none


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
    """Write one audit row. A second one for the same version of a subject cannot be written.

    The values stand beside the statement, here and where rows are sent: SQLAlchemy keeps what it made of the statement.
    """
    values = {"subject": subject, "version": version, "at": at, "who": by, "was": was, "became": became}
    connection.execute(insert(audit), {**values, "reasons": list(reasons), "note": note})
