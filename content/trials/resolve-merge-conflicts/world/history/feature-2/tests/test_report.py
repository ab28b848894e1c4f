import unittest

from shop import report

ORDERS = [
    {"day": "2026-03-02", "customer": "Ann", "country": "AT", "items": [{"cents": 1000, "count": 2}]},
    {"day": "2026-03-01", "customer": "Ben", "country": "DE", "items": [{"cents": 500, "count": 1}]},
    {"day": "2026-03-02", "customer": "Cid", "country": "AT", "items": [{"cents": 700, "count": 1}]},
]


class Days(unittest.TestCase):
    def test_days_in_order(self):
        self.assertEqual(report.by_day(ORDERS), [("2026-03-01", 990), ("2026-03-02", 3680)])

    def test_busiest(self):
        self.assertEqual(report.busiest(ORDERS), "2026-03-02")

    def test_nothing_came_back(self):
        self.assertFalse(report.by_reason(ORDERS))
