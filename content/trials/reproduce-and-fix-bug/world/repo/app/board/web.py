"""Requests to answers."""

import sqlite3
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from board import export, ranks, teams
from board.errors import Busy, NotFound, Refused

ROUTES = {
    ("GET", "/rank"): lambda pool, query, body: ranks.rank(pool, query["player"]),
    ("GET", "/ranks"): lambda pool, query, body: ranks.ranks(pool),
    ("POST", "/import"): lambda pool, query, body: ranks.load(pool, body),
    ("GET", "/team"): lambda pool, query, body: teams.team(pool, query["name"]),
    ("POST", "/pick"): lambda pool, query, body: teams.pick(pool, query["team"], query["player"]),
    ("GET", "/export"): lambda pool, query, body: export.export(pool, query["week"]),
    ("GET", "/stats"): lambda pool, query, body: pool.stats(),
}


def answer(pool, method, target, body=""):
    """The status and the text for a request."""
    place = urlsplit(target)
    try:
        return 200, ROUTES[method, place.path](pool, dict(parse_qsl(place.query)), body)
    except (Busy, sqlite3.OperationalError):
        return 503, "busy"
    except Refused as error:
        return 422, str(error)
    except NotFound as error:
        return 404, str(error)
    except KeyError as error:
        return 404, f"no {error}"


def serve(pool, port):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            status, text = answer(pool, self.command, self.path, body)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(f"{text}\n".encode())

        do_POST = do_GET

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
