"""Teams and what they picked."""

from board.errors import NotFound, Refused


def team(pool, name):
    with pool.lend() as db:
        found = db.execute("select picked from teams where name = ?", (name,)).fetchone()
        if found is None:
            raise NotFound(f"no team {name}")
        players = db.execute("select player from picks where team = ? order by player", (name,)).fetchall()
    return f"{name} {found[0]}: {', '.join(player for player, in players)}"


def pick(pool, team, player):
    with pool.lend() as db:
        changed = db.execute("update teams set picked = picked + 1 where name = ?", (team,)).rowcount
        if not changed:
            raise NotFound(f"no team {team}")
        taken = db.execute("select team from picks where player = ?", (player,)).fetchone()
        if taken:
            raise Refused(f"{player} was picked by {taken[0]}")
        db.execute("insert into picks values (?, ?)", (player, team))
        db.commit()
    return "picked"
