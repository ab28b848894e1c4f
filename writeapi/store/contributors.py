"""Contributors, their keys, and editors who are signed in. A key and a session are known by their hashes only."""

import unicodedata
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from library.records.vocabulary import RunState, Scope

from .base import StorePart, as_record, move, person, record
from .engine import Conflict, HandleTaken, NotFound, Unavailable
from .records import Key, Member, Session, SignIn
from .schema import Moment, contributors, keys, runs, sessions, to_second

Scopes = Collection[Scope] | None  # what a key may be used for; None is everything
SESSION_HOURS = 12
IDLE_MINUTES = 30  # a session in which nothing is asked for so long has ended
REMEMBERED_HOURS = 24
"""How long a session that ended is still known, so that what its editor was typing can be handed back."""


_asked_last = func.coalesce(sessions.c.used, sessions.c.created, type_=Moment())


class Contributors(StorePart):
    """Who may sign what is sent, and who decides about it."""

    def add_contributor(
        self, handle: str, email: str | None, key_hash: bytes, prefix: str, scopes: Scopes = None
    ) -> Member:
        """Store a contributor with a first key. Raises `HandleTaken`: they differ in more than hyphens."""
        try:
            with self._database.write() as connection:
                now = self._now()
                folded = fold(handle)
                names = {"handle": handle, "folded": folded, "alike": folded.replace("-", ""), "email": email}
                values = {**names, "role": "contributor", "created": now}
                number = connection.scalars(insert(contributors).values(**values).returning(contributors.c.id)).one()
                key = {"contributor_id": number, "hash": key_hash, "prefix": prefix, "created": now}
                key["scopes"] = scopes and " ".join(scopes)
                connection.execute(insert(keys).values(**key))
                record(connection, person(number), "created", at=now, by=person(number))
        except IntegrityError:
            if not self.taken(handle):
                raise
            raise HandleTaken("This handle is taken.") from None
        return Member(number, handle, email, "contributor", to_second(now), None)

    def _valid(self) -> ColumnElement[bool]:
        """That a key was not revoked and has not ended."""
        return keys.c.revoked.is_(None) & (keys.c.until.is_(None) | (keys.c.until >= self._now()[:10]))

    def caller(self, key_hash: bytes, scope: Scope | None = None) -> Member | None:
        """Whose key this is; None when it is unknown, was revoked, has ended, or is not for this `scope`."""
        valid = (keys.c.hash == key_hash) & self._valid() & contributors.c.revoked.is_(None)
        if scope:
            valid &= keys.c.scopes.is_(None) | keys.c.scopes.contains(scope)
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

    def key(self, key_hash: bytes) -> Key | None:
        """The key of this hash, while it is valid."""
        return self._record(Key, select(keys).where(keys.c.hash == key_hash, self._valid()))

    def add_key(
        self,
        contributor_id: int,
        key_hash: bytes,
        prefix: str,
        *,
        by: str,
        scopes: Scopes = None,
        until: str | None = None,
        minted_by: bytes | None = None,
    ) -> Key:
        """Give a contributor one more key; it ends with the key that it was `minted_by`, of which this is the hash.

        Raises `NotFound`, or `Conflict` when the contributor or that key was revoked, or the end is in the past.
        """
        with self._database.write() as connection:
            now = self._now()
            if _held(connection, contributors.c.id == contributor_id).revoked is not None:
                raise Conflict("This contributor was revoked.")
            if until and until < now[:10]:
                raise Conflict("The last day of the key is over.")
            parent = connection.scalar(select(keys.c.id).where(keys.c.hash == minted_by, self._valid()))
            if minted_by and parent is None:
                raise Conflict("The key was revoked meanwhile.")
            key = {"contributor_id": contributor_id, "hash": key_hash, "prefix": prefix, "created": now}
            made = Key(prefix, to_second(now), None, " ".join(scopes) if scopes else None, until)
            connection.execute(insert(keys).values(**key, scopes=made.scopes, until=until, parent_id=parent))
            record(connection, person(contributor_id), "key-added", at=now, by=by, note=prefix)
        return made

    def revoke_key(self, contributor_id: int, prefix: str, *, by: str, spared: bytes | None = None) -> bool:
        """Revoke the key that lists show with this prefix, and all that it minted; False when there is none valid.

        The key by which somebody changes over to a new one is `spared`, with what it minted itself: it takes the place
        of the one that ends.
        """
        valid = (keys.c.contributor_id == contributor_id) & (keys.c.prefix == prefix) & keys.c.revoked.is_(None)
        with self._database.write() as connection:
            now = self._now()
            connection.execute(select(contributors.c.id).where(contributors.c.id == contributor_id).with_for_update())
            old = connection.execute(select(keys.c.id, keys.c.hash, keys.c.parent_id).where(valid)).first()
            if old is None:
                return False
            ends = select(keys.c.id).where(keys.c.id == old.id).cte(recursive=True)
            minted = (keys.c.parent_id == ends.c.id) & (keys.c.hash != (spared or b""))
            ends = ends.union_all(select(keys.c.id).where(minted))
            below = select(keys.c.id).where(keys.c.hash == spared, keys.c.parent_id.in_(select(ends.c.id)))
            if spared and spared != old.hash and (one := connection.scalar(below)):
                connection.execute(update(keys).where(keys.c.id == one).values(parent_id=old.parent_id))
            which = keys.c.id.in_(select(ends.c.id)) & keys.c.revoked.is_(None)
            ended = update(keys).where(which).values(revoked=now).returning(keys.c.prefix)
            for name in connection.scalars(ended).all():
                record(connection, person(contributor_id), "key-revoked", at=now, by=by, note=name)
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
        valid = select(keys.c.id).where(keys.c.hash == key_hash, self._valid())
        with self._database.write() as connection:
            key = connection.scalar(valid)
            if key is None:
                raise Conflict("The key was revoked meanwhile.")
            connection.execute(delete(sessions).where(sessions.c.expires <= self._now(hours=-REMEMBERED_HOURS)))
            values = {"hash": session_hash, "key_id": key, "csrf": csrf, "created": self._now()}
            connection.execute(insert(sessions).values(**values, expires=self._now(hours=SESSION_HOURS)))

    def session(self, session_hash: bytes) -> Session | None:
        """The session of this hash, while it lasts, its key was not revoked, and its contributor is an editor."""
        stale = (_asked_last <= self._now(minutes=-1)).label("stale")
        owners = select(contributors, sessions.c.csrf, stale).select_from(sessions)
        owners = owners.join(keys, keys.c.id == sessions.c.key_id)
        owners = owners.join(contributors, contributors.c.id == keys.c.contributor_id)
        may = contributors.c.revoked.is_(None) & (contributors.c.role == "editor")
        for row in self._rows(owners.where(sessions.c.hash == session_hash, self._lasts(), may)):
            if row.stale:  # a write for each page would be too many
                with suppress(Unavailable), self._database.write() as connection:
                    here = sessions.c.hash == session_hash
                    connection.execute(update(sessions).where(here).values(used=self._now()))
            return Session(as_record(Member, row), row.csrf)
        return None

    def _lasts(self) -> ColumnElement[bool]:
        """That a session has not ended, nor its key, and was not begun by a clock that was ahead."""
        asked = (_asked_last > self._now(minutes=-IDLE_MINUTES)) & (_asked_last < self._now(minutes=IDLE_MINUTES))
        return (sessions.c.expires > self._now()) & asked & self._valid()

    def sign_ins(self, contributor_id: int) -> list[SignIn]:
        """The sessions of a contributor that last, newest first."""
        wanted = select(sessions.c.hash, keys.c.prefix, sessions.c.created, _asked_last.label("last")).join(keys)
        mine = wanted.where(keys.c.contributor_id == contributor_id, self._lasts())
        return self._records(SignIn, mine.order_by(sessions.c.created.desc()))

    def was_session(self, session_hash: bytes) -> bool:
        """Whether there is a session of this hash, or was one within the last `REMEMBERED_HOURS`; it opens nothing."""
        recent = sessions.c.expires > self._now(hours=-REMEMBERED_HOURS)
        return bool(self._rows(select(sessions.c.hash).where(sessions.c.hash == session_hash, recent)))

    def close_session(self, session_hash: bytes, contributor_id: int) -> None:
        """End a session of this contributor."""
        now = self._now()
        own = sessions.c.key_id.in_(select(keys.c.id).where(keys.c.contributor_id == contributor_id))
        lasts = (sessions.c.hash == session_hash) & (sessions.c.expires > now) & own
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
        raise NotFound("There is no such contributor; `POST /contributors` makes one.")
    return row


def _take_back(connection: Connection, contributor_id: int, *, at: str, by: str) -> int:
    """Withdraw a contributor's approved runs and reject those that wait; says how many."""
    counted = (runs.c.contributor_id == contributor_id) & runs.c.state.in_([RunState.PENDING, RunState.APPROVED])
    rows = connection.execute(select(runs.c.id, runs.c.state).where(counted).with_for_update()).all()
    for row in rows:
        to = RunState.WITHDRAWN if row.state is RunState.APPROVED else RunState.REJECTED
        move(connection, row.id, to, at=at, by=by, reasons=["contributor-revoked"])
    return len(rows)
