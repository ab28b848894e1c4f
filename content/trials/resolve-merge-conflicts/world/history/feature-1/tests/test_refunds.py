import unittest

from shop import refunds


class Refunds(unittest.TestCase):
    def test_in_time(self):
        self.assertEqual(refunds.refund([{"cents": 700, "count": 2}], 3), 1400)

    def test_too_late(self):
        self.assertEqual(refunds.refund([{"cents": 700, "count": 2}], 300), 0)
