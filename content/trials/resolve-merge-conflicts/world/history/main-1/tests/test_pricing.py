import unittest

from shop import pricing

ORDER = {"day": "2026-03-02", "customer": "Ann", "items": [{"cents": 1250, "count": 2}, {"cents": 300, "count": 1}]}


class Total(unittest.TestCase):
    def test_goods_and_shipping(self):
        self.assertEqual(pricing.total(ORDER), 3290)

    def test_large_orders_are_shipped_free(self):
        self.assertEqual(pricing.total({"items": [{"cents": 5000, "count": 1}]}), 5000)

    def test_a_cent_below_is_not_free(self):
        self.assertEqual(pricing.total({"items": [{"cents": 4999, "count": 1}]}), 5489)
