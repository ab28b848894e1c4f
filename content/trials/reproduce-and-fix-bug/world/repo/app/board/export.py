"""A week as a file."""

from board.errors import NotFound


def export(pool, week):
    db = pool.take()
    rows = db.execute("select player, rank from ranks where week = ? order by player", (week,)).fetchall()
    if not rows:
        raise NotFound(f"nothing of week {week}")
    pool.give(db)
    return "\n".join(f"{player},{rank}" for player, rank in rows)
