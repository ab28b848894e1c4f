"""Bookings, release 2.3.0: answers one request with a status and a body."""

STATES = ("booked", "cancelled")


def handle(database, request):
    if request["op"] == "book":
        cursor = database.execute(
            "INSERT INTO booking (guest, seats, at, state, note) VALUES (?, ?, ?, 'booked', '')",
            (request["guest"], request["seats"], request["at"]),
        )
        return 200, {"id": cursor.lastrowid, "guest": request["guest"], "seats": request["seats"], "state": "booked"}
    row = database.execute("SELECT id, guest, seats, at, state, note FROM booking WHERE id = ?", (request["id"],)).fetchone()
    if row is None:
        return 404, {}
    if row[4] not in STATES:
        return 500, {"error": f"booking {row[0]}: no such state: {row[4]}"}
    return 200, {"id": row[0], "guest": row[1], "seats": row[2], "at": row[3], "state": row[4], "note": row[5] or ""}
