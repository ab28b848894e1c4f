"""The first version of the API, which two customers still use.

All of /v1 is protected: the session is asked for before a request comes here.
"""

from .guards import signed_in
from .router import Refused, route


def ping(request):
    return "pong"


def export(request, tenant):
    return [row[0] for row in request["database"].execute("SELECT customer FROM invoice WHERE tenant = ?", [tenant])]


def total(request, tenant):
    return request["database"].execute("SELECT sum(amount) FROM invoice WHERE tenant = ?", [tenant]).fetchone()[0]


def lines(request, id):
    sql = "SELECT text FROM line JOIN invoice ON invoice.id = invoice WHERE tenant = ? AND invoice = ?"
    found = [row[0] for row in request["database"].execute(sql, [request["tenant"], id])]
    if not found:
        raise Refused(404, "no such invoice")
    return found


def same_tenant(request):
    """For the routes whose path names a tenant."""
    signed_in(request)


for path, function, guard in (
    ("ping", ping, signed_in),
    ("export/<tenant>", export, None),
    ("total/<tenant>", total, None),
    ("lines/<id>", lines, same_tenant),
):
    route("GET", f"/v1/{path}", guard)(function)
