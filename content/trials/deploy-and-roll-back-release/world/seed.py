"""Makes both environments: the bookings of the last months, and what the host knows."""

import json
import random
import sqlite3
import sys
from pathlib import Path

good = sys.argv[1]
for name, known in (("staging", 60), ("production", 900)):
    folder = Path("env", name)
    folder.mkdir(parents=True)
    database = sqlite3.connect(folder / "app.db")
    database.execute(
        "CREATE TABLE booking (id INTEGER PRIMARY KEY AUTOINCREMENT, guest TEXT, seats INTEGER, at TEXT, state TEXT, note TEXT)"
    )
    dice = random.Random(name)
    for number in range(1, known + 1):
        imported = name == "production" and number % 15 == 7  # by telephone, without a note
        database.execute(
            "INSERT INTO booking (guest, seats, at, state, note) VALUES (?, ?, ?, ?, ?)",
            (f"known-{number}", dice.randint(1, 8), f"{dice.randint(11, 22)}:30", dice.choice(["booked", "booked", "cancelled"]),
             None if imported else dice.choice(["", "window", "high chair "])),
        )
    database.commit()
    (folder / "access.log").touch()
    (folder / "commands.log").touch()
    (folder / "state.json").write_text(json.dumps({"minute": 0, "known": known, "deployments": [dict.fromkeys("abc", good)]}))
