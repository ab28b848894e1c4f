import unittest

from shop import pricing

ORDER = {"day": "2026-03-02", "customer": "Ann", "items": [{"cents": 1250, "count": 2}, {"cents": 300, "count": 1}]}


class Total(unittest.TestCase):
    def test_goods_and_shipping(self):
        self.assertEqual(pricing.total(ORDER), 3290)

    def test_vouchers_pay_goods(self):
        self.assertEqual(pricing.total({**ORDER, "voucher": 800}), 2490)

    def test_vouchers_never_pay_shipping(self):
        self.assertEqual(pricing.total({**ORDER, "voucher": 9000}), 490)
