"""The shop: `python3 app/server.py PORT`. State is in memory; accounts are made by signing in with a new name."""

import json
import secrets
import sys
import threading
import time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PRODUCTS = {"Tea tin": 1250, "Pot": 2495, "Card box": 2500, "Lamp": 4000}
VOUCHERS = {"SPRING10": 10, "FRIENDS5": 5}
EXPIRED = {"WINTER24"}
PRICING, PAYMENT = 0.4, 1.2  # seconds that the price service and the bank take
FREE_FROM = 5000
LOCK = threading.Lock()
PAGES = Path(__file__).parent
baskets, vouchers, orders, sessions = {}, {}, {}, {}


def euros(cents):
    return f"{cents / 100:.2f}"


def priced(user):
    """The basket as the page shows it."""
    lines = [
        {"name": name, "quantity": count, "sum": euros(PRODUCTS[name] * count)}
        for name, count in baskets.get(user, {}).items()
    ]
    goods = sum(PRODUCTS[name] * count for name, count in baskets.get(user, {}).items())
    discount = goods * VOUCHERS.get(vouchers.get(user, ""), 0) // 100
    shipping = 0 if goods > FREE_FROM or not goods else 490
    found = {"lines": lines, "goods": euros(goods), "shipping": euros(shipping)}
    if discount:
        found["discount"] = "-" + euros(discount)
    return found | {"total": euros(goods - discount + shipping)}


def listed(user):
    """The user's orders, the newest first."""
    now = time.monotonic()
    return [
        {"number": one["number"], "total": one["total"], "status": "confirmed" if now > one["paid"] else "pending"}
        for one in reversed(orders.get(user, []))
    ]


def ordered(user, form):
    """Place the order: the answer and its code."""
    if not form.get("street", "").strip():
        return 422, {"error": "Enter a street"}
    if form.get("card", "").replace(" ", "").endswith("0002"):
        time.sleep(PAYMENT)
        return 402, {"error": "Card declined"}
    number = f"A-{sum(map(len, orders.values())) + 1001}"
    total = priced(user)["total"]
    orders.setdefault(user, []).append({"number": number, "total": total, "paid": time.monotonic() + PAYMENT})
    return 201, {"number": number}


class Shop(BaseHTTPRequestHandler):
    """Pages, and what their script asks for."""

    protocol_version = "HTTP/1.1"

    def answer(self, code, body, kind="application/json", cookie=""):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        if cookie:
            self.send_header("Set-Cookie", f"shop={cookie}; Path=/; HttpOnly")
        self.end_headers()
        self.wfile.write(body)

    def handle_all(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("shop")
        user = sessions.get(cookie.value) if cookie else None
        asked = f"{self.command} {self.path}"
        if asked in ("GET /", "GET /shop", "GET /basket", "GET /orders"):
            return self.answer(200, (PAGES / "shop.html").read_bytes(), "text/html; charset=utf-8")
        if asked == "GET /shop.js":
            return self.answer(200, (PAGES / "shop.js").read_bytes(), "text/javascript")
        if asked == "POST /api/session":
            key = secrets.token_hex(8)
            sessions[key] = str(body.get("name", ""))
            return self.answer(201, {}, cookie=key)
        if user is None:
            return self.answer(401, {"error": "Sign in first"})
        return self.answer(*self.api(asked, user, body))

    def api(self, asked, user, body):
        if asked == "GET /api/products":
            return 200, [{"name": name, "price": euros(price)} for name, price in PRODUCTS.items()]
        if asked == "GET /api/orders":
            time.sleep(PRICING)
            return 200, listed(user)
        if asked == "POST /api/orders":
            return ordered(user, body)
        if asked == "POST /api/basket" and body.get("name") in PRODUCTS:
            with LOCK:
                basket = baskets.setdefault(user, {})
                basket[body["name"]] = basket.get(body["name"], 0) + 1
            return 201, {"count": sum(basket.values())}
        if asked == "POST /api/voucher":
            code = str(body.get("code", "")).strip().upper()
            time.sleep(PRICING)
            if code in EXPIRED:
                return 422, {"error": "This voucher has expired."}
            if code not in VOUCHERS:
                return 422, {"error": "There is no such voucher."}
            vouchers[user] = code
        if asked == "DELETE /api/voucher":
            vouchers.pop(user, None)
        if asked in ("GET /api/basket", "POST /api/voucher", "DELETE /api/voucher"):
            time.sleep(PRICING)
            return 200, priced(user)
        return 404, {"error": "Not found"}

    do_GET = do_POST = do_DELETE = handle_all

    def log_message(self, *_):
        """Keep quiet."""


class Server(ThreadingHTTPServer):
    """One thread a request; a browser that goes away is no error."""

    request_queue_size = 50

    def handle_error(self, *_):
        """Keep quiet."""


if __name__ == "__main__":
    Server(("127.0.0.1", int(sys.argv[1])), Shop).serve_forever()
