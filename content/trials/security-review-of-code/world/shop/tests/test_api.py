"""What users may do, and what is intended."""

import hashlib
import json
import unittest

from shop.ask import asked, etag


def ask(method, path, session="", data="{}"):
    status, body = asked(method, path, session, data)
    return status, json.loads(body)


class Users(unittest.TestCase):
    def test_lists(self):
        for sort, ids in {"id": [1, 2, 3], "amount": [2, 3, 1], "amount%20desc": [1, 3, 2], "customer%20DESC": [3, 2, 1]}.items():
            self.assertEqual(ask("GET", f"/invoices?sort={sort}", "ann")[:2], (200, ids))

    def test_own_data(self):
        for path, body in {
            "/invoices/2": [2, "Omar", 100], "/invoices/2/lines": ["lamp"], "/count/invoices": 3, "/count/customers": 3, "/files/offer.txt": "Offer of red\n",
            "/files/2026/notes.txt": "Notes of red\n", "/v1/ping": "pong", "/v1/lines/1": ["chairs"], "/v1/export/red": ["Ilse", "Omar", "Pia"],
            "/v1/total/red": 600,
        }.items():
            self.assertEqual(ask("GET", path, "ann")[:2], (200, body), path)
        self.assertEqual(ask("GET", "/v1/total/blue", "bob")[:2], (200, 900))

    def test_hooks(self):
        self.assertEqual(ask("POST", "/hooks", "ann", '{"url": "https://9.9.9.9/x"}')[0], 200)
        self.assertEqual(ask("POST", "/hooks", "ann", '{"url": "http://10.0.0.1/x"}')[0], 400)


class Intended(unittest.TestCase):
    def test_anyone(self):
        self.assertEqual(ask("GET", "/status")[1], {"version": "1.8.2", "ok": True})
        self.assertEqual(ask("GET", "/shared/k3Zr0b1tq8Wf2LxY")[:2], (200, [1, 300]))

    def test_owners_query(self):
        told = json.dumps({"sql": "SELECT name FROM sqlite_master UNION SELECT tenant FROM invoice ORDER BY 1"})
        self.assertEqual(ask("POST", "/admin/query", "olga", told)[1], [["invoice"], ["line"], ["red"], ["share"]])

    def test_etag(self):
        _, body = asked("GET", "/status")
        self.assertEqual(etag(body), hashlib.md5(body.encode()).hexdigest())


if __name__ == "__main__":
    unittest.main()
