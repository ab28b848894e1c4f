"""The routes of the API."""

import ipaddress
import os
import sqlite3
from pathlib import Path
from urllib.parse import urlsplit

from .data import fresh
from .guards import owner, signed_in
from .router import Refused, route

FILES = Path(__file__).resolve().parent.parent / "files"
COLUMNS = ("id", "customer", "amount")
COUNTED = {"invoices": "id", "customers": "customer"}


@route("GET", "/status")
def status(request):  # TODO security: no session is asked for here!
    return {"version": "1.8.2", "ok": True}


@route("GET", "/invoices", signed_in)
def invoices(request):
    sort = request["query"].get("sort", "id")
    if sort.split()[:1] not in [[column] for column in COLUMNS]:
        raise Refused(400, "no such column")
    rows = request["database"].execute(f"SELECT id FROM invoice WHERE tenant = ? ORDER BY {sort}", [request["tenant"]])
    return [row[0] for row in rows]


@route("GET", "/invoices/<id>", signed_in)
def invoice(request, id):
    row = request["database"].execute(
        "SELECT id, customer, amount FROM invoice WHERE id = ? AND tenant = ?", [id, request["tenant"]]
    ).fetchone()
    if row is None:
        raise Refused(404, "no such invoice")
    return list(row)


@route("GET", "/invoices/<id>/lines", signed_in)
def lines(request, id):
    """The lines of an invoice; the session was checked by the guard."""
    return [row[0] for row in request["database"].execute("SELECT text FROM line WHERE invoice = ?", [id])]


@route("GET", "/count/<what>", signed_in)
def count(request, what):
    if what not in COUNTED:
        raise Refused(404, "nothing to count")
    sql = f"SELECT count(DISTINCT {COUNTED[what]}) FROM invoice WHERE tenant = '{request['tenant']}'"
    return request["database"].execute(sql).fetchone()[0]


@route("GET", "/files/<rest...>", signed_in)
def file(request, rest):
    name = rest.replace("../", "")  # nobody leaves the tenant's folder
    place = FILES / request["tenant"] / name.lstrip("/")
    if not place.is_file():
        raise Refused(404, "no such file")
    return place.read_text()


@route("POST", "/hooks", signed_in)
def hook(request):
    """Says which address will be called; a worker calls it later."""
    host = urlsplit(request["body"].get("url", "")).hostname or ""
    try:
        address = ipaddress.IPv4Address(host)
    except ValueError:
        raise Refused(400, "an IPv4 address, please") from None
    if address.is_private or address.is_loopback or address.is_link_local or address.is_multicast or address.is_reserved:
        raise Refused(400, "not on the public internet")
    return {"will call": str(address)}


@route("GET", "/shared/<token>")
def shared(request, token):
    row = request["database"].execute(
        "SELECT invoice.id, amount FROM share JOIN invoice ON invoice.id = share.invoice WHERE token = ?", [token]
    ).fetchone()
    if row is None:
        raise Refused(404, "no such link")
    return list(row)


@route("POST", "/admin/query", owner)
def query(request):
    own = fresh()
    own.execute("DELETE FROM line WHERE invoice IN (SELECT id FROM invoice WHERE tenant <> ?)", [request["tenant"]])
    own.execute("DELETE FROM invoice WHERE tenant <> ?", [request["tenant"]])
    sql = str(request["body"].get("sql", ""))
    if not sql.upper().startswith("SELECT"):
        raise Refused(400, "only SELECT")
    try:
        return [list(row) for row in own.execute(sql)]
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise Refused(400, str(error)) from None


if os.environ.get("SHOP_DEBUG") == "1":

    @route("GET", "/debug/settings")
    def settings(request):
        return {"files": str(FILES)}
