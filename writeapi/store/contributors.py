"""Contributors, their keys, and editors who are signed in. A key and a session are known by their hashes only."""

import unicodedata
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from library.records.vocabulary import RunState

from .base import StorePart, as_record, move, person, record
from .engine import Conflict, HandleTaken, NotFound
from .records import Key, Member, Session
from .schema import contributors, keys, runs, sessions, to_the_second

SESSION_HOURS = 12
REMEMBERED_HOURS = 24
"""How long a session that ended is still known, so that what its editor was typing can be handed back."""


class Contributors(StorePart):
    """Who may sign what is sent, and who decides about it."""

    def add_contributor(self, handle: str, email: str | None, key_hash: bytes, prefix: str) -> Member:
        """Store a contributor with a first key. Raises `HandleTaken`: they differ in more than hyphens."""
        try:
            with self._database.write() as connection:
                now = self._now()
                folded = fold(handle)
                names = {"handle": handle, "folded": folded, "alike": folded.replace("-", ""), "email": email}
                values = {**names, "role": "contributor", "created": now}
                number = connection.scalars(insert(contributors).values(**values).returning(contributors.c.id)).one()
                key = {"contributor_id": number, "hash": key_hash, "prefix": prefix, "created": now}
                connection.execute(insert(keys).values(**key))
                record(connection, person(number), "created", at=now, by=person(number))
        except IntegrityError:
            if not self.taken(handle):
                raise
            raise HandleTaken("This handle is taken.") from None
        return Member(number, handle, email, "contributor", to_the_second(now), None)

    def caller(self, key_hash: bytes) -> Member | None:
        """Whose key this is; None when it is unknown or was revoked."""
        valid = (keys.c.hash == key_hash) & keys.c.revoked.is_(None) & contributors.c.revoked.is_(None)
        return self._record(Member, select(contributors).join(keys).where(valid))

    def taken(self, handle: str) -> bool:
        """Whether a contributor has this handle, or one that differs by spelling and hyphens alone."""
        form = func.replace(contributors.c.folded, "-", "")
        return bool(self._rows(select(contributors.c.id).where(form == fold(handle).replace("-", ""))))

    def contributor(self, handle: str) -> Member | None:
        """The contributor with this handle, in any spelling, revoked or not."""
        return self._record(Member, select(contributors).where(contributors.c.folded == fold(handle)))

    def contributors(self) -> list[Member]:
        """All contributors, by handle."""
        return self._records(Member, select(contributors).order_by(contributors.c.folded))

    def keys(self, contributor_id: int) -> list[Key]:
        """A contributor's keys, oldest first, with those that were revoked."""
        return self._records(Key, select(keys).where(keys.c.contributor_id == contributor_id).order_by(keys.c.id))

    def add_key(self, contributor_id: int, key_hash: bytes, prefix: str, *, by: str) -> Key:
        """Give a contributor one more key. Raises `NotFound`, or `Conflict` when the contributor was revoked."""
        with self._database.write() as connection:
            now = self._now()
            if _held(connection, contributors.c.id == contributor_id).revoked is not None:
                raise Conflict("This contributor was revoked.")
            key = {"contributor_id": contributor_id, "hash": key_hash, "prefix": prefix, "created": now}
            connection.execute(insert(keys).values(**key))
            record(connection, person(contributor_id), "key-added", at=now, by=by, note=prefix)
        return Key(prefix, to_the_second(now), None)

    def revoke_key(self, contributor_id: int, prefix: str, *, by: str) -> bool:
        """Revoke the key that lists show with this prefix; False when there is none that is valid."""
        valid = (keys.c.contributor_id == contributor_id) & (keys.c.prefix == prefix) & keys.c.revoked.is_(None)
        with self._database.write() as connection:
            now = self._now()
            if connection.execute(update(keys).where(valid).values(revoked=now)).rowcount == 0:
                return False
            record(connection, person(contributor_id), "key-revoked", at=now, by=by, note=prefix)
        return True

    def revoke_contributor(self, handle: str, *, by: str, withdraw_runs: bool) -> int:
        """End a contributor and all keys; says how many runs were taken back. Raises `NotFound`.

        With `withdraw_runs`, approved runs become withdrawn and pending ones rejected.
        """
        with self._database.write() as connection:
            now = self._now()
            found = _held(connection, contributors.c.folded == fold(handle))
            if found.revoked is None:
                connection.execute(update(contributors).where(contributors.c.id == found.id).values(revoked=now))
                live = (keys.c.contributor_id == found.id) & keys.c.revoked.is_(None)
                connection.execute(update(keys).where(live).values(revoked=now))
                record(connection, person(found.id), "revoked", at=now, by=by, was=found.role)
            return _take_back(connection, found.id, at=now, by=by) if withdraw_runs else 0

    def promote(self, handle: str, *, by: str) -> None:
        """Make a contributor an editor. Raises `NotFound`, or `Conflict` when the contributor was revoked."""
        with self._database.write() as connection:
            found = _held(connection, contributors.c.folded == fold(handle))
            if found.revoked is not None:
                raise Conflict("This contributor was revoked.")
            if found.role != "editor":
                connection.execute(update(contributors).where(contributors.c.id == found.id).values(role="editor"))
                record(connection, person(found.id), "editor", at=self._now(), by=by, was=found.role)

    def open_session(self, key_hash: bytes, session_hash: bytes, csrf: str) -> None:
        """Sign in for `SESSION_HOURS` whoever has this key; sessions that ended long ago go.

        Raises `Conflict` for a key that was revoked meanwhile.
        """
        valid = select(keys.c.id).where(keys.c.hash == key_hash, keys.c.revoked.is_(None))
        with self._database.write() as connection:
            key = connection.scalar(valid)
            if key is None:
                raise Conflict("The key was revoked meanwhile.")
            connection.execute(delete(sessions).where(sessions.c.expires <= self._now(hours=-REMEMBERED_HOURS)))
            values = {"hash": session_hash, "key_id": key, "csrf": csrf, "created": self._now()}
            connection.execute(insert(sessions).values(**values, expires=self._now(hours=SESSION_HOURS)))

    def session(self, session_hash: bytes) -> Session | None:
        """The session of this hash, while it lasts, its key was not revoked, and its contributor is an editor."""
        owners = select(contributors, sessions.c.csrf).select_from(sessions)
        owners = owners.join(keys, keys.c.id == sessions.c.key_id)
        owners = owners.join(contributors, contributors.c.id == keys.c.contributor_id)
        lasts = (sessions.c.hash == session_hash) & (sessions.c.expires > self._now()) & keys.c.revoked.is_(None)
        may = contributors.c.revoked.is_(None) & (contributors.c.role == "editor")
        for row in self._rows(owners.where(lasts, may)):
            return Session(as_record(Member, row), row.csrf)
        return None

    def was_session(self, session_hash: bytes) -> bool:
        """Whether there is a session of this hash, or was one within the last `REMEMBERED_HOURS`; it opens nothing."""
        recent = sessions.c.expires > self._now(hours=-REMEMBERED_HOURS)
        return bool(self._rows(select(sessions.c.hash).where(sessions.c.hash == session_hash, recent)))

    def close_session(self, session_hash: bytes) -> None:
        """Sign out."""
        now = self._now()
        lasts = (sessions.c.hash == session_hash) & (sessions.c.expires > now)
        with self._database.write() as connection:
            connection.execute(update(sessions).where(lasts).values(expires=now))


def fold(handle: str) -> str:
    """The form in which two spellings of one handle are the same text."""
    compatible = unicodedata.normalize("NFKC", handle).casefold()
    return unicodedata.normalize("NFKC", compatible)


def _held(connection: Connection, which: ColumnElement[bool]) -> Row[Any]:
    """A contributor's row, locked until the transaction ends. Raises `NotFound`."""
    row = connection.execute(select(contributors).where(which).with_for_update()).first()
    if row is None:
        raise NotFound("There is no such contributor.")
    return row


def _take_back(connection: Connection, contributor_id: int, *, at: str, by: str) -> int:
    """Withdraw a contributor's approved runs and reject those that wait; says how many."""
    counted = (runs.c.contributor_id == contributor_id) & runs.c.state.in_([RunState.PENDING, RunState.APPROVED])
    rows = connection.execute(select(runs.c.id, runs.c.state).where(counted).with_for_update()).all()
    for row in rows:
        to = RunState.WITHDRAWN if row.state is RunState.APPROVED else RunState.REJECTED
        move(connection, row.id, to, at=at, by=by, reasons=["contributor-revoked"])
    return len(rows)
