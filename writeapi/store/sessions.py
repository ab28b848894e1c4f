"""Editors' sessions in the store: a cookie is a secret, so only its hash is kept; it ends with its time or its key."""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update

from .base import StorePart, as_record
from .errors import Conflict
from .records import Member, Session
from .schema import contributors, keys, sessions

SESSION_HOURS = 12
REMEMBERED_HOURS = 24
"""How long a session that ended is still known, so that what its editor was typing can be handed back."""


class Sessions(StorePart):
    """Who is signed in."""

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
        wanted = (
            select(contributors, sessions.c.csrf)
            .select_from(sessions)
            .join(keys, keys.c.id == sessions.c.key_id)
            .join(contributors, contributors.c.id == keys.c.contributor_id)
            .where(
                sessions.c.hash == session_hash,
                sessions.c.expires > self._now(),
                keys.c.revoked.is_(None),
                contributors.c.revoked.is_(None),
                contributors.c.role == "editor",
            )
        )
        for row in self._rows(wanted):
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
