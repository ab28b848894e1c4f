"""Editors' sessions in the store: a cookie is a secret, so only its hash is kept, and it ends."""

from __future__ import annotations

from datetime import UTC, timedelta

from sqlalchemy import delete, insert, select

from .base import Part
from .contributors import as_contributor
from .records import Contributor, Session
from .schema import contributors, sessions

SESSION_HOURS = 12


class Sessions(Part):
    """Who is signed in."""

    def open_session(self, contributor_id: int, session_hash: bytes, csrf: str) -> None:
        """Sign an editor in for `SESSION_HOURS`; sessions that ended go."""
        with self._database.write() as connection:
            now = self._now()
            until = self._clock().astimezone(UTC) + timedelta(hours=SESSION_HOURS)
            connection.execute(delete(sessions).where(sessions.c.expires <= now))
            values = {"hash": session_hash, "contributor_id": contributor_id, "csrf": csrf, "created": now}
            connection.execute(insert(sessions).values(**values, expires=until.strftime("%Y-%m-%dT%H:%M:%S.%fZ")))

    def session(self, session_hash: bytes) -> Session | None:
        """The session of this hash, while it lasts and its contributor is an editor who was not revoked."""
        wanted = (
            select(contributors, sessions.c.csrf)
            .join(sessions)
            .where(
                sessions.c.hash == session_hash,
                sessions.c.expires > self._now(),
                contributors.c.revoked.is_(None),
                contributors.c.role == "editor",
            )
        )
        with self._database.read() as connection:
            row = connection.execute(wanted).first()
        editor: Contributor | None = as_contributor(row)
        return Session(editor, row.csrf) if row is not None and editor is not None else None

    def close_session(self, session_hash: bytes) -> None:
        """Sign out."""
        with self._database.write() as connection:
            connection.execute(delete(sessions).where(sessions.c.hash == session_hash))
