"""Bookings, release 2.4.0: a deposit for each booking, and groups of more than eight are held until they have paid it."""

STATES = ("booked", "cancelled", "held")


def handle(database, request):
    if request["op"] == "book":
        state, deposit = "held" if request["seats"] > 8 else "booked", 4 * request["seats"]
        cursor = database.execute(
            "INSERT INTO booking (guest, seats, at, state, note, deposit) VALUES (?, ?, ?, ?, '', ?)",
            (request["guest"], request["seats"], request["at"], state, deposit),
        )
        return 200, {"id": cursor.lastrowid, "guest": request["guest"], "seats": request["seats"], "deposit": deposit, "state": state}
    row = database.execute(
        "SELECT id, guest, seats, at, state, note, deposit FROM booking WHERE id = ?", (request["id"],)
    ).fetchone()
    if row is None:
        return 404, {}
    if row[4] not in STATES:
        return 500, {"error": f"booking {row[0]}: no such state: {row[4]}"}
    return 200, {"id": row[0], "guest": row[1], "seats": row[2], "at": row[3], "state": row[4], "note": row[5].strip()}
