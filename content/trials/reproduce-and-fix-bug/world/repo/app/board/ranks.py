"""Ranks, and the ranking of a day."""

from board.database import WEEK
from board.errors import NotFound, Refused


def rank(pool, player):
    with pool.lend() as db:
        row = db.execute("select rank from ranks where week = ? and player = ?", (WEEK, player)).fetchone()
        if row is None:
            raise NotFound(f"no player {player}")
        return f"{row[0]}"


def ranks(pool):
    with pool.lend() as db:
        rows = db.execute("select player, rank from ranks where week = ? order by rank", (WEEK,)).fetchall()
    return "\n".join(f"{player} {rank}" for player, rank in rows)


def load(pool, body):
    """The ranking of a day replaces the one before, all of it or nothing."""
    with pool.lend() as db:
        db.execute("delete from ranks where week = ?", (WEEK,))
        for number, line in enumerate(body.splitlines(), 1):
            player, comma, place = line.partition(",")
            if not player or not comma or not place.isdecimal():
                raise Refused(f"line {number} is not PLAYER,RANK")
            db.execute("insert into ranks values (?, ?, ?)", (WEEK, player, int(place)))
        db.commit()
    return "loaded"
