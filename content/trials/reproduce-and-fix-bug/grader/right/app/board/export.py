# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""A week as a file."""

from board.errors import NotFound


def export(pool, week):
    with pool.lend() as db:
        rows = db.execute("select player, rank from ranks where week = ? order by player", (week,)).fetchall()
    if not rows:
        raise NotFound(f"nothing of week {week}")
    return "\n".join(f"{player},{rank}" for player, rank in rows)
